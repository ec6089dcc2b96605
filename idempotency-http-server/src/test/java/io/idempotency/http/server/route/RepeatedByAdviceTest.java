package io.idempotency.http.server.route;

import static io.idempotency.http.server.Wire.post;
import static io.idempotency.http.server.Wire.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.idempotency.IdempotentOperation;
import io.idempotency.http.server.Wire;
import io.micronaut.aop.Around;
import io.micronaut.aop.InterceptPhase;
import io.micronaut.aop.InterceptorBean;
import io.micronaut.aop.MethodInterceptor;
import io.micronaut.aop.MethodInvocationContext;
import io.micronaut.context.annotation.Property;
import io.micronaut.context.annotation.Requires;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Post;
import io.micronaut.http.client.HttpClient;
import io.micronaut.http.client.annotation.Client;
import io.micronaut.http.exceptions.HttpStatusException;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import io.micronaut.test.extensions.junit5.annotation.MicronautTest;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Mono;

/** Routes that the application's own advice calls again after a failure, before there is an answer. */
@MicronautTest
@Property(name = "test.repeated-by-advice", value = "true")
class RepeatedByAdviceTest {

    @Inject
    @Client("/repeated")
    HttpClient client;

    @Inject
    Repeated repeated;

    private final String key = UUID.randomUUID().toString();

    @Around
    @Retention(RetentionPolicy.RUNTIME)
    @Target(ElementType.METHOD)
    @interface Twice {}

    @Singleton
    @InterceptorBean(Twice.class)
    static class TryingTwice implements MethodInterceptor<Object, Object> {
        @Override
        public int getOrder() {
            return InterceptPhase.RETRY.getPosition();
        }

        @Override
        public Object intercept(MethodInvocationContext<Object, Object> context) {
            try {
                Object result = context.proceed();
                return result instanceof Mono<?> later ? later.retry(1) : result;
            } catch (RuntimeException e) {
                return context.proceed(this);
            }
        }
    }

    static final class Declined extends RuntimeException {}

    @Controller("/repeated")
    @Requires(property = "test.repeated-by-advice")
    static class Repeated {
        final AtomicInteger bodies = new AtomicInteger();

        private String run(RuntimeException failure) {
            if (bodies.incrementAndGet() == 1) {
                throw failure;
            }
            return "ran " + bodies;
        }

        @Twice
        @Post("/declined")
        @ExecuteOn(TaskExecutors.BLOCKING)
        @IdempotentOperation(value = "repeated-declined", noEffectFor = Declined.class)
        String declined() {
            return run(new Declined());
        }

        @Twice
        @Post("/declined-later")
        @IdempotentOperation(value = "repeated-declined-later", noEffectFor = Declined.class)
        Mono<String> declinedLater() {
            return Mono.fromCallable(() -> run(new Declined()));
        }

        @Twice
        @Post("/gone")
        @ExecuteOn(TaskExecutors.BLOCKING)
        @IdempotentOperation("repeated-gone")
        String gone() {
            return run(new HttpStatusException(HttpStatus.GONE, "gone"));
        }
    }

    @BeforeEach
    void reset() {
        repeated.bodies.set(0);
    }

    private HttpResponse<byte[]> send(String path) {
        return new Wire(client).send(post(path, "").header("Idempotency-Key", key));
    }

    @ParameterizedTest
    @ValueSource(strings = {"/declined", "/declined-later"})
    void theRefusalOfTheNextTryIsNotTheAnswerAndTheKeyIsFreeWhereNothingWasDone(String path) {
        assertThat(text(send(path))).contains("\"code\":\"in-progress\"");
        await().untilAsserted(() -> assertThat(text(send(path))).isEqualTo("ran 2"));
        HttpResponse<byte[]> replay = send(path);
        assertThat(text(replay)).isEqualTo("ran 2");
        assertThat(replay.header("Idempotent-Replayed")).isEqualTo("true");
    }

    @Test
    void otherwiseTheFailureItselfIsWhatIsRecorded() {
        assertThat(text(send("/gone"))).contains("\"code\":\"in-progress\"");
        await().untilAsserted(() -> assertThat(send("/gone").code()).isEqualTo(410));
        assertThat(repeated.bodies).hasValue(1);
    }
}
