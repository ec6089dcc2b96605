package io.idempotency.http.server.route;

import static io.idempotency.http.server.Wire.post;
import static io.idempotency.http.server.Wire.text;
import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.IdempotencyKeyReusedException;
import io.idempotency.IdempotentOperation;
import io.idempotency.http.server.Wire;
import io.micronaut.context.ApplicationContext;
import io.micronaut.context.annotation.Requires;
import io.micronaut.context.annotation.Value;
import io.micronaut.core.annotation.Nullable;
import io.micronaut.core.order.Ordered;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.MutableHttpResponse;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Filter;
import io.micronaut.http.annotation.Header;
import io.micronaut.http.annotation.Post;
import io.micronaut.http.annotation.RequestFilter;
import io.micronaut.http.annotation.ResponseFilter;
import io.micronaut.http.annotation.ServerFilter;
import io.micronaut.http.client.HttpClient;
import io.micronaut.http.cookie.Cookie;
import io.micronaut.http.filter.HttpServerFilter;
import io.micronaut.http.filter.ServerFilterChain;
import io.micronaut.runtime.server.EmbeddedServer;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import jakarta.inject.Singleton;
import java.net.SocketException;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Filters of an application, in front of the claim and behind it, which change, replace or break requests and answers. */
@Tag("thorough")
class FiltersAroundTest {

    private static final int BEHIND = 2000;

    private final String key = UUID.randomUUID().toString();

    /** What is protected. */
    @Controller("/around")
    @Requires(property = "test.around")
    static class AroundController {
        static final HttpResponse<Map<String, Integer>> SHARED = HttpResponse.ok(Map.of("a", 1));

        final AtomicInteger bodies = new AtomicInteger();
        final CompletableFuture<Void> begun = new CompletableFuture<>();
        final CompletableFuture<String> gate = new CompletableFuture<>();
        final Below below;

        AroundController(Below below) {
            this.below = below;
        }

        @Post("/slow")
        @ExecuteOn(TaskExecutors.BLOCKING)
        Mono<String> slow(@Header("X-Do") String nested) {
            return later(nested);
        }

        @Post("/slow-annotated")
        @IdempotentOperation("around-slow-annotated")
        Mono<String> slowAnnotated(@Header("X-Do") String nested) {
            return Mono.defer(() -> later(nested));
        }

        @Post("/slow-blocking")
        @ExecuteOn(TaskExecutors.BLOCKING)
        @IdempotentOperation("around-slow-blocking")
        String slowBlocking(@Header("X-Do") String nested) {
            return String.valueOf(later(nested).block());
        }

        /** Calls another operation, goes on whatever that answers, and answers when it is told to. */
        private Mono<String> later(String nested) {
            bodies.incrementAndGet();
            if (!nested.equals("nothing")) {
                try {
                    below.reserve(nested, 1);
                } catch (IdempotencyKeyReusedException e) {
                    assertThat(nested).isEqualTo("refused");
                }
            }
            begun.complete(null);
            return Mono.fromFuture(gate, true);
        }

        @Post("/lost-configured")
        String lost() throws SocketException {
            bodies.incrementAndGet();
            throw new SocketException("Connection reset");
        }

        @Post("/shared-annotated")
        @IdempotentOperation("around-shared-annotated")
        HttpResponse<Map<String, Integer>> sharedAnnotated() {
            return SHARED;
        }

        @Post("/shared-configured")
        HttpResponse<Map<String, Integer>> sharedConfigured() {
            return SHARED;
        }

        @Post("/annotated")
        @IdempotentOperation("around-annotated")
        String annotated(@Body String body) {
            return body + bodies.incrementAndGet();
        }

        @Post("/configured")
        String configured(@Body String body) {
            return body + bodies.incrementAndGet();
        }
    }

    /** What the slow routes call. */
    @Singleton
    @Requires(property = "test.around")
    static class Below {
        @IdempotentOperation(value = "around-below", key = "key")
        public void reserve(String key, int amount) {}
    }

    /** Does what the request asks for. */
    @ServerFilter("/around/**")
    @Requires(property = "test.around")
    static class Around implements Ordered {
        private final int order;

        Around(@Value("${test.around}") int order) {
            this.order = order;
        }

        @Override
        public int getOrder() {
            return order;
        }

        private static boolean asked(HttpRequest<?> request, String what) {
            return what.equals(request.getHeaders().get("X-Do"));
        }

        @RequestFilter
        @Nullable
        HttpResponse<?> request(HttpRequest<?> request, @Body @Nullable String body) {
            if (asked(request, "throw early")) {
                throw new IllegalStateException("early");
            }
            return asked(request, "refuse") ? HttpResponse.status(HttpStatus.FORBIDDEN) : null;
        }

        @ResponseFilter
        HttpResponse<?> response(HttpRequest<?> request, MutableHttpResponse<?> response) {
            if (asked(request, "throw late")) {
                throw new IllegalStateException("late");
            } else if (asked(request, "replace")) {
                return HttpResponse.accepted().body("replaced").header("ETag", "\"r\"");
            } else if (asked(request, "change")) {
                return response.status(HttpStatus.ACCEPTED)
                        .header("ETag", "\"c\"")
                        .body("changed");
            } else if (asked(request, "append")) {
                return response.body(response.getBody(String.class).orElse("nothing") + "!");
            } else if (asked(request, "empty")) {
                return response.cookie(Cookie.of("empty", "yes")).body(null);
            }
            return response;
        }
    }

    /** In front of the claim: answers itself once the route has begun, and waits for a duplicate's answer. */
    @Filter("/around/slow*")
    @Requires(property = "test.around")
    static class Impatient implements HttpServerFilter {
        private final AroundController controller;
        private final AtomicBoolean first = new AtomicBoolean(true);

        Impatient(AroundController controller) {
            this.controller = controller;
        }

        @Override
        public int getOrder() {
            return 0;
        }

        @Override
        public Publisher<MutableHttpResponse<?>> doFilter(HttpRequest<?> request, ServerFilterChain chain) {
            Publisher<MutableHttpResponse<?>> answer = chain.proceed(request);
            return first.getAndSet(false)
                    ? Flux.from(answer)
                            .timeout(
                                    Mono.fromFuture(controller.begun, true),
                                    unused -> Mono.never(),
                                    Mono.just(HttpResponse.status(HttpStatus.GATEWAY_TIMEOUT)))
                    : answer;
        }
    }

    private static Stream<Arguments> everywhere() {
        return Stream.of("annotated", "configured")
                .flatMap(path -> Stream.of(-BEHIND, BEHIND).map(order -> Arguments.of(path, order)));
    }

    private void serving(int order, BiConsumer<Wire, AroundController> test) {
        Map<String, Object> properties = Map.of(
                "test.around",
                order,
                "idempotency.http.routes.around-configured.path",
                "/around/*configured",
                "idempotency.http.filter-order",
                1000,
                "idempotency.http.routes.around-slow.path",
                "/around/slow",
                "idempotency.operations.around-slow.lease",
                "1s");
        try (EmbeddedServer server = ApplicationContext.run(EmbeddedServer.class, properties);
                HttpClient client = server.getApplicationContext().createBean(HttpClient.class, server.getURL())) {
            test.accept(new Wire(client), server.getApplicationContext().getBean(AroundController.class));
        }
    }

    private void serve(int order, BiConsumer<Wire, AtomicInteger> test) {
        serving(order, (wire, controller) -> test.accept(wire, controller.bodies));
    }

    private HttpResponse<byte[]> send(Wire wire, String path, String content, String what) {
        return wire.send(
                post("/around/" + path, content).header("Idempotency-Key", key).header("X-Do", what));
    }

    @ParameterizedTest
    @MethodSource("everywhere")
    void whatAFilterMakesOfAnAnswerIsWhatARetryGets(String path, int order) {
        for (String what : new String[] {"replace", "change"}) {
            serve(order, (wire, bodies) -> {
                HttpResponse<byte[]> first = send(wire, path, "\"a\"", what);
                HttpResponse<byte[]> again = send(wire, path, "\"a\"", what);
                assertThat(first.code()).isEqualTo(202).isEqualTo(again.code());
                assertThat(text(again)).isEqualTo(what + "d").isEqualTo(text(first));
                assertThat(again.header("ETag")).isEqualTo(first.header("ETag")).isNotNull();
                assertThat(bodies).hasValue(1);
            });
        }
    }

    @ParameterizedTest
    @MethodSource("everywhere")
    void aFilterReadsAnAnswerAsTextWhereverItStands(String path, int order) {
        serve(order, (wire, bodies) -> {
            HttpResponse<byte[]> first = send(wire, path, "\"a\"", "append");
            HttpResponse<byte[]> again = send(wire, path, "\"a\"", "append");
            assertThat(text(again)).isEqualTo("\"a\"1!").isEqualTo(text(first));
        });
    }

    @ParameterizedTest
    @MethodSource("everywhere")
    void whatAFilterEmptiesIsEmptyForARetryToo(String path, int order) {
        serve(order, (wire, bodies) -> {
            HttpResponse<byte[]> first = send(wire, path, "\"a\"", "empty");
            HttpResponse<byte[]> again = send(wire, path, "\"a\"", "empty");
            assertThat(first.code()).isEqualTo(200).isEqualTo(again.code());
            assertThat(text(again)).isEmpty();
            assertThat(text(first)).isEmpty();
            assertThat(first.header("Set-Cookie")).startsWith("empty=yes");
            assertThat(bodies).hasValue(1);
        });
    }

    /** The application goes on using its answer, for a plain route for instance. */
    @ParameterizedTest
    @MethodSource("everywhere")
    void anAnswerThatTheApplicationSharesStaysWhatItIs(String path, int order) {
        serve(order, (wire, bodies) -> {
            HttpResponse<byte[]> first = send(wire, "shared-" + path, "\"a\"", "");
            HttpResponse<byte[]> again = send(wire, "shared-" + path, "\"a\"", "");
            assertThat(text(again)).isEqualTo("{\"a\":1}").isEqualTo(text(first));
            assertThat(AroundController.SHARED.body()).isEqualTo(Map.of("a", 1));
        });
    }

    @ParameterizedTest
    @MethodSource("everywhere")
    void aFilterThatFailsAfterTheBodyHidesAnAnswerAndRunsNothingTwice(String path, int order) {
        serve(order, (wire, bodies) -> {
            for (int i = 0; i < 3; i++) {
                assertThat(send(wire, path, "\"a\"", "throw late").code()).isEqualTo(500);
            }
            assertThat(bodies).hasValue(1);
            assertThat(send(wire, path, "\"a\"", "").code()).isLessThan(501);
            assertThat(bodies).hasValue(1);
        });
    }

    @ParameterizedTest
    @MethodSource("everywhere")
    void aFilterThatFailsOrRefusesBeforeTheBodyRunsNothing(String path, int order) {
        for (String what : new String[] {"throw early", "refuse"}) {
            serve(order, (wire, bodies) -> {
                int status = what.equals("refuse") ? 403 : 500;
                assertThat(send(wire, path, "\"a\"", what).code()).isEqualTo(status);
                assertThat(send(wire, path, "\"a\"", what).code()).isEqualTo(status);
                assertThat(bodies).hasValue(0);
                boolean recorded = path.equals("configured") && order == BEHIND;
                assertThat(send(wire, path, "\"a\"", "").code()).isEqualTo(recorded ? status : 200);
                assertThat(bodies).hasValue(recorded ? 0 : 1);
            });
        }
    }

    static Stream<Arguments> slow() {
        return Stream.of("slow", "slow-annotated", "slow-blocking")
                .flatMap(path -> Stream.of("nothing", "executed", "replayed", "refused")
                        .map(nested -> Arguments.of(path, nested)));
    }

    @ParameterizedTest
    @MethodSource("slow")
    void anAnswerThatAFilterGaveUpWaitingForIsRecordedAllTheSame(String path, String nested) {
        serving(BEHIND, (wire, controller) -> {
            if (nested.equals("replayed") || nested.equals("refused")) {
                controller.below.reserve(nested, nested.equals("refused") ? 2 : 1);
            }
            HttpResponse<byte[]> early = send(wire, path, "\"a\"", nested);
            assertThat(early.code()).isEqualTo(504);
            assertThat(early.header("Idempotency-Status"))
                    .as("the body runs on")
                    .isEqualTo("executed;key=in-doubt");
            assertThat(early.header("Idempotent-Replayed")).isNull();
            controller.gate.complete("late");
            Awaitility.await().untilAsserted(() -> {
                HttpResponse<byte[]> again = send(wire, path, "\"a\"", nested);
                assertThat(text(again)).isEqualTo("late");
                assertThat(again.header("Idempotent-Replayed")).isEqualTo("true");
            });
            assertThat(controller.bodies).hasValue(1);
        });
    }

    @Test
    void aConnectionThatTheRouteLostIsInDoubtWhereFiltersAreBehindTheClaim() {
        serve(-BEHIND, (wire, bodies) -> {
            assertThat(send(wire, "lost-configured", "\"a\"", "").header("Idempotency-Status"))
                    .isEqualTo("executed;key=in-doubt");
            assertThat(text(send(wire, "lost-configured", "\"a\"", ""))).contains("\"code\":\"outcome-unknown\"");
            assertThat(bodies).hasValue(1);
        });
    }

    @ParameterizedTest
    @MethodSource("everywhere")
    void aBodyThatAFilterReadsIsStillComparedAndStillReachesTheRoute(String path, int order) {
        serve(order, (wire, bodies) -> {
            HttpResponse<byte[]> first = send(wire, path, "\"a\"", "");
            assertThat(text(first)).isEqualTo("\"a\"1");
            assertThat(text(send(wire, path, "\"a\"", ""))).isEqualTo(text(first));
            assertThat(send(wire, path, "\"b\"", "").code()).isEqualTo(422);
            assertThat(bodies).hasValue(1);
        });
    }
}
