package io.idempotency.http.server.route;

import io.idempotency.IdempotentOperation;
import io.idempotency.OnFailure;
import io.idempotency.PreviousAttemptFailedException;
import io.idempotency.ResultUnavailableException;
import io.idempotency.runtime.Effect;
import io.idempotency.runtime.FailureClassifier;
import io.micronaut.context.annotation.Requires;
import io.micronaut.core.annotation.Introspected;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Error;
import io.micronaut.http.annotation.PathVariable;
import io.micronaut.http.annotation.Post;
import io.micronaut.http.exceptions.HttpStatusException;
import io.micronaut.http.server.exceptions.ExceptionHandler;
import io.micronaut.retry.annotation.Retryable;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import io.micronaut.serde.annotation.Serdeable;
import jakarta.inject.Provider;
import jakarta.inject.Singleton;
import jakarta.validation.Valid;
import jakarta.validation.constraints.Positive;
import java.net.SocketException;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import reactor.core.publisher.Mono;

/** Every way in which a route answers, annotated and covered by configuration. */
@Controller("/outcomes")
@Requires(property = "test.outcomes")
class OutcomesController {

    final AtomicInteger bodies = new AtomicInteger();
    private final Provider<OutcomesController> self;

    OutcomesController(Provider<OutcomesController> self) {
        this.self = self;
    }

    @Serdeable
    @Introspected
    record Order(@Positive int amount) {}

    /** Of the application: its handler makes it an answer. */
    static class Mapped extends RuntimeException {
        private final int status;

        Mapped(int status, Throwable cause) {
            super("mapped", cause);
            this.status = status;
        }
    }

    /** Of the application: its classifier says that it is final, and its handler that it may be sent again. */
    static final class Partly extends Mapped {
        Partly(int status) {
            super(status, null);
        }
    }

    @Singleton
    @Requires(property = "test.outcomes")
    static class PartlyFinal implements FailureClassifier {
        @Override
        public Optional<Effect> effect(Throwable failure) {
            return failure instanceof Partly || failure instanceof ResultUnavailableException
                    ? Optional.of(Effect.FINAL)
                    : Optional.empty();
        }
    }

    /** Of the application: a method of the controller makes it an answer. */
    static final class Local extends RuntimeException {
        private final int status;

        Local(int status) {
            this.status = status;
        }
    }

    /** Another answer each time: whoever asks it twice is found out. */
    @Singleton
    @Requires(property = "test.outcomes")
    static class MappedHandler implements ExceptionHandler<Mapped, HttpResponse<?>> {
        private final AtomicInteger answers = new AtomicInteger();

        @Override
        @SuppressWarnings("rawtypes")
        public HttpResponse<?> handle(HttpRequest request, Mapped exception) {
            return HttpResponse.status(HttpStatus.valueOf(exception.status))
                    .header("ETag", "\"" + answers.incrementAndGet() + "\"")
                    .header("Retry-After", "7")
                    .body(Map.of("answer", answers.get()));
        }
    }

    @Error
    HttpResponse<?> local(Local exception) {
        return HttpResponse.status(HttpStatus.valueOf(exception.status))
                .body(Map.of("bodies", bodies.get(), "at", System.nanoTime()));
    }

    /** Of the application: its answer never comes. */
    static final class Hanging extends RuntimeException {}

    @Error
    Mono<HttpResponse<?>> hanging(Hanging exception) {
        return Mono.never();
    }

    private HttpResponse<?> run(String how, int status) throws Exception {
        int number = bodies.incrementAndGet();
        HttpStatus named = HttpStatus.valueOf(status);
        return switch (how) {
            case "returned" ->
                HttpResponse.status(named).header("Retry-After", "7").body(Map.of("number", number));
            case "thrown" -> throw new HttpStatusException(named, "thrown " + number);
            case "thrown-body" -> throw new HttpStatusException(named, (Object) Map.of("number", number));
            case "mapped" -> throw new Mapped(status, null);
            case "mapped-cut-off" -> throw new Mapped(status, new TimeoutException("no answer"));
            case "hanging" -> throw new Hanging();
            case "local" -> throw new Local(status);
            case "cut-off" -> throw new TimeoutException("no answer");
            case "reset" -> throw new SocketException("Connection reset");
            case "partly" -> throw new Partly(status);
            case "refused" ->
                throw new Mapped(status, new ResultUnavailableException("remote", null, "executed elsewhere", null));
            default -> throw new IllegalStateException("broken " + number);
        };
    }

    @Post("/annotated/{how}/{status}")
    @ExecuteOn(TaskExecutors.BLOCKING)
    @IdempotentOperation("outcomes-annotated")
    HttpResponse<?> annotated(@PathVariable String how, @PathVariable int status, @Body @Valid Order order)
            throws Exception {
        return run(how, status);
    }

    /** Its key is the order's, so that it can be called without a request too. */
    @Post("/annotated-keyed")
    @ExecuteOn(TaskExecutors.BLOCKING)
    @IdempotentOperation(value = "outcomes-keyed", key = "order.amount")
    int keyed(@Body @Valid Order order) {
        bodies.incrementAndGet();
        throw new Mapped(412, null);
    }

    /** As a job calls it, or anybody else below the controller. */
    @Post("/below")
    @ExecuteOn(TaskExecutors.BLOCKING)
    String below(@Body Order order) {
        try {
            return "ran " + self.get().keyed(order);
        } catch (PreviousAttemptFailedException e) {
            return e.failureType();
        }
    }

    @Post("/annotated-retried/{how}/{status}")
    @ExecuteOn(TaskExecutors.BLOCKING)
    @Retryable(attempts = "2", delay = "1ms")
    @IdempotentOperation("outcomes-retried")
    HttpResponse<?> retried(@PathVariable String how, @PathVariable int status, @Body @Valid Order order)
            throws Exception {
        return run(how, status);
    }

    @Post("/annotated-retried-released/{how}/{status}")
    @ExecuteOn(TaskExecutors.BLOCKING)
    @Retryable(attempts = "1", delay = "1ms")
    @IdempotentOperation(value = "outcomes-retried-released", onFailure = OnFailure.RELEASE)
    HttpResponse<?> retriedReleased(@PathVariable String how, @PathVariable int status, @Body @Valid Order order)
            throws Exception {
        return run(how, status);
    }

    @Post("/annotated-retried-later/{how}/{status}")
    @Retryable(attempts = "1", delay = "1ms")
    @IdempotentOperation(value = "outcomes-retried-later", onFailure = OnFailure.RELEASE)
    Mono<HttpResponse<?>> retriedLater(@PathVariable String how, @PathVariable int status, @Body @Valid Order order) {
        return Mono.fromCallable(() -> run(how, status));
    }

    @Post("/annotated-released/{how}/{status}")
    @IdempotentOperation(value = "outcomes-released", onFailure = OnFailure.RELEASE)
    HttpResponse<?> released(@PathVariable String how, @PathVariable int status, @Body @Valid Order order)
            throws Exception {
        return run(how, status);
    }

    @Post("/annotated-final/{how}/{status}")
    @IdempotentOperation(
            value = "outcomes-final",
            onFailure = OnFailure.RELEASE,
            finalFor = {RuntimeException.class, Exception.class})
    HttpResponse<?> declaredFinal(@PathVariable String how, @PathVariable int status, @Body @Valid Order order)
            throws Exception {
        return run(how, status);
    }

    @Post("/annotated-hanging/{how}/{status}")
    @IdempotentOperation("outcomes-hanging")
    HttpResponse<?> hanging(@PathVariable String how, @PathVariable int status, @Body @Valid Order order)
            throws Exception {
        return run(how, status);
    }

    @Post("/annotated-declared/{how}/{status}")
    @IdempotentOperation("outcomes-declared")
    HttpResponse<?> declared(@PathVariable String how, @PathVariable int status, @Body @Valid Order order)
            throws Exception {
        return run(how, status);
    }

    final AtomicReference<CompletableFuture<String>> gate = new AtomicReference<>(new CompletableFuture<>());

    /** Throws when it is told to, perhaps after its client went away. */
    @Post("/annotated-gone")
    @IdempotentOperation("outcomes-gone")
    Mono<String> gone(@Body @Valid Order order) {
        bodies.incrementAndGet();
        return Mono.fromFuture(gate.get(), true);
    }

    /** On the event loop. */
    @Post("/annotated-here/{how}/{status}")
    @IdempotentOperation("outcomes-annotated-here")
    HttpResponse<?> annotatedHere(@PathVariable String how, @PathVariable int status, @Body @Valid Order order)
            throws Exception {
        return run(how, status);
    }

    @Post("/annotated-later/{how}/{status}")
    @IdempotentOperation("outcomes-annotated-later")
    CompletionStage<HttpResponse<?>> annotatedLater(
            @PathVariable String how, @PathVariable int status, @Body @Valid Order order) {
        CompletableFuture<HttpResponse<?>> later = CompletableFuture.supplyAsync(() -> null)
                .thenCompose(nothing -> {
                    try {
                        return CompletableFuture.completedFuture(run(how, status));
                    } catch (Exception e) {
                        return CompletableFuture.failedFuture(e);
                    }
                });
        return later.minimalCompletionStage();
    }

    @Post("/annotated-mono/{how}/{status}")
    @IdempotentOperation("outcomes-annotated-mono")
    Mono<HttpResponse<?>> annotatedMono(@PathVariable String how, @PathVariable int status, @Body @Valid Order order) {
        return Mono.fromCallable(() -> run(how, status));
    }

    @Post(
            uris = {
                "/configured/{how}/{status}",
                "/configured-released/{how}/{status}",
                "/configured-declared/{how}/{status}"
            })
    @ExecuteOn(TaskExecutors.BLOCKING)
    HttpResponse<?> configured(@PathVariable String how, @PathVariable int status, @Body @Valid Order order)
            throws Exception {
        return run(how, status);
    }

    @Post("/configured-mono/{how}/{status}")
    Mono<HttpResponse<?>> configuredMono(@PathVariable String how, @PathVariable int status, @Body @Valid Order order) {
        return Mono.fromCallable(() -> run(how, status));
    }
}
