package io.idempotency.http.server.route;

import static io.idempotency.http.server.Wire.post;
import static io.idempotency.http.server.Wire.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idempotency.http.server.Wire;
import io.idempotency.runtime.memory.MemoryIdempotencyStore;
import io.idempotency.runtime.store.IdempotencyStore;
import io.micronaut.context.ApplicationContext;
import io.micronaut.context.annotation.Factory;
import io.micronaut.context.annotation.Requires;
import io.micronaut.http.HttpAttributes;
import io.micronaut.http.HttpMethod;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.MutableHttpResponse;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Post;
import io.micronaut.http.annotation.RequestFilter;
import io.micronaut.http.annotation.ResponseFilter;
import io.micronaut.http.annotation.ServerFilter;
import io.micronaut.http.client.HttpClient;
import io.micronaut.runtime.server.EmbeddedServer;
import jakarta.inject.Named;
import jakarta.inject.Singleton;
import java.lang.reflect.Proxy;
import java.security.Principal;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Flux;
import reactor.core.scheduler.NonBlocking;

/** Configured routes among filters, paths, stores and mistakes. */
@Tag("thorough")
class RouteEdgesTest {

    private static final String ORDER = "{\"item\":\"book\",\"price\":12.50}";
    private static final String PATH = "idempotency.http.routes.plain-route.path";

    private final String key = UUID.randomUUID().toString();

    /** A filter of the application with the order of filter methods that name none: the last. */
    @ServerFilter("/plain/**")
    @Requires(property = "test.filtered")
    static class Numbering {
        final AtomicInteger requests = new AtomicInteger();
        final AtomicInteger responses = new AtomicInteger();

        @RequestFilter
        void request() {
            requests.incrementAndGet();
        }

        @ResponseFilter
        MutableHttpResponse<?> response(MutableHttpResponse<?> response) {
            return response.header("ETag", "\"" + responses.incrementAndGet() + "\"")
                    .body("changed by a filter");
        }
    }

    /** A filter in front of ours that hands on another request. */
    @ServerFilter("/plain/**")
    @Requires(property = "test.replacing")
    static class Replacing implements io.micronaut.core.order.Ordered {
        @RequestFilter
        HttpRequest<?> request(HttpRequest<?> request) {
            return request.mutate().header("X-Any", "added");
        }

        @Override
        public int getOrder() {
            return 0;
        }
    }

    /** A filter in front of ours that hands on a request of its own making. */
    @ServerFilter("/plain/**")
    @Requires(property = "test.making")
    static class Making implements io.micronaut.core.order.Ordered {
        @RequestFilter
        HttpRequest<?> request(HttpRequest<?> request) {
            return HttpRequest.DELETE(request.getPath());
        }

        @Override
        public int getOrder() {
            return 0;
        }
    }

    /** A filter behind it that names the user. */
    @ServerFilter("/plain/**")
    @Requires(property = "test.replacing")
    static class Authenticating implements io.micronaut.core.order.Ordered {
        @RequestFilter
        void name(HttpRequest<?> request) {
            String user = request.getHeaders().get("X-User");
            if (user != null) {
                request.setAttribute(HttpAttributes.PRINCIPAL, (Principal) () -> user);
            }
        }

        @Override
        public int getOrder() {
            return 1;
        }
    }

    /** A store whose calls block, and who calls it. */
    @Factory
    @Requires(property = "test.blocking-store")
    static class BlockingStores {
        static final Set<String> ASKING =
                Set.of("claim", "complete", "fail", "release", "doubt", "renew", "find", "health", "purge");

        final Set<String> nonBlockingCallers = ConcurrentHashMap.newKeySet();
        final AtomicInteger calls = new AtomicInteger();

        @Singleton
        @Named("blocking")
        IdempotencyStore store() {
            MemoryIdempotencyStore memory = new MemoryIdempotencyStore(InstantSource.system());
            return (IdempotencyStore) Proxy.newProxyInstance(
                    IdempotencyStore.class.getClassLoader(),
                    new Class<?>[] {IdempotencyStore.class},
                    (proxy, method, arguments) -> {
                        if (ASKING.contains(method.getName())) {
                            calls.incrementAndGet();
                            if (Thread.currentThread() instanceof NonBlocking) {
                                nonBlockingCallers.add(method.getName());
                            }
                        }
                        return method.getName().equals("answersAtOnce") ? false : method.invoke(memory, arguments);
                    });
        }
    }

    /** Says on which kind of thread it is called. */
    @Controller("/thread")
    @Requires(property = "test.plain")
    static class ThreadController {
        @Post
        boolean onEventLoop() {
            return Thread.currentThread() instanceof NonBlocking;
        }
    }

    /** What answers at the context path itself. */
    @Controller("/")
    @Requires(property = "test.root")
    static class Root {
        @Post
        String root(@Body String order) {
            return "placed";
        }
    }

    private static void serve(Map<String, Object> properties, BiConsumer<EmbeddedServer, Wire> test) {
        Map<String, Object> all = new HashMap<>(properties);
        all.put("test.plain", true);
        try (EmbeddedServer server = ApplicationContext.run(EmbeddedServer.class, all);
                HttpClient client = server.getApplicationContext().createBean(HttpClient.class, server.getURL())) {
            test.accept(server, new Wire(client));
        }
    }

    private HttpResponse<byte[]> send(Wire wire, String path) {
        return wire.send(post(path, ORDER).header("Idempotency-Key", key));
    }

    @Test
    void whatFiltersBehindTheProtectionDoToAnAnswerIsRecordedAndNotDoneTwice() {
        serve(Map.of(PATH, "/plain/**", "test.filtered", true, "idempotency.http.filter-order", 0), (server, wire) -> {
            HttpResponse<byte[]> first = send(wire, "/plain/pojo");
            HttpResponse<byte[]> replay = send(wire, "/plain/pojo");
            assertThat(text(first)).isEqualTo("changed by a filter").isEqualTo(text(replay));
            assertThat(first.header("ETag")).isEqualTo("\"1\"").isEqualTo(replay.header("ETag"));
            assertThat(replay.header("Idempotent-Replayed")).isEqualTo("true");
            Numbering numbering = server.getApplicationContext().getBean(Numbering.class);
            assertThat(numbering.requests).hasValue(1);
            assertThat(numbering.responses).hasValue(1);
        });
    }

    @Test
    void whatFiltersDoToAnAnswerIsDoneToAReplayTooBecauseTheyStandInFront() {
        serve(Map.of(PATH, "/plain/**", "test.filtered", true), (server, wire) -> {
            assertThat(send(wire, "/plain/pojo").header("ETag")).isEqualTo("\"1\"");
            HttpResponse<byte[]> replay = send(wire, "/plain/pojo");
            assertThat(replay.header("Idempotent-Replayed")).isEqualTo("true");
            assertThat(replay.header("ETag")).isEqualTo("\"2\"");
        });
    }

    /** Micronaut binds no body of a replaced request, so this one has none. */
    @ParameterizedTest
    @ValueSource(strings = {"test.replacing", "test.making"})
    void aRequestThatAFilterInFrontReplacedIsProtectedAsTheClientSentIt(String filter) {
        serve(Map.of(PATH, "/plain/**", filter, true), (server, wire) -> {
            HttpResponse<byte[]> first =
                    wire.send(HttpRequest.DELETE("/plain/7").header("Idempotency-Key", key));
            assertThat(first.code()).isEqualTo(200);
            HttpResponse<byte[]> replay =
                    wire.send(HttpRequest.DELETE("/plain/7").header("Idempotency-Key", key));
            assertThat(replay.body()).isEqualTo(first.body());
            assertThat(wire.send(HttpRequest.DELETE("/plain/8").header("Idempotency-Key", key))
                            .code())
                    .isEqualTo(422);
        });
    }

    @Test
    void theUserOfARequestThatAFilterInFrontReplacedHasKeysOfItsOwn() {
        serve(Map.of(PATH, "/plain/**", "test.replacing", true), (server, wire) -> {
            for (String user : List.of("ada", "bob")) {
                HttpResponse<byte[]> response = wire.send(HttpRequest.DELETE("/plain/7")
                        .header("Idempotency-Key", key)
                        .header("X-User", user));
                assertThat(response.code()).isEqualTo(200);
                assertThat(response.header("Idempotent-Replayed")).isNull();
            }
        });
    }

    /** Written with it or without, and also where the path begins with the same letters. */
    @ParameterizedTest
    @CsvSource({
        "/shop, /plain/pojo",
        "/shop, /shop/plain/pojo",
        "shop/, /plain/pojo",
        "/shop/, /shop/plain/pojo",
        "/pl, /plain/pojo",
        "/plain, /plain/pojo"
    })
    void theServersContextPathStandsBeforeThePattern(String contextPath, String pattern) {
        serve(Map.of(PATH, pattern, "micronaut.server.context-path", contextPath), (server, wire) -> {
            String path = "/" + contextPath.replace("/", "") + "/plain/pojo";
            assertThat(send(wire, path).code()).isEqualTo(201);
            assertThat(send(wire, path).header("Idempotent-Replayed")).isEqualTo("true");
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"/", "/plain", "/plain/"})
    void theContextPathItselfCanBeARoute(String pattern) {
        serve(Map.of(PATH, pattern, "micronaut.server.context-path", "/plain", "test.root", true), (server, wire) -> {
            for (String path : List.of("/plain", "/plain/")) {
                String own = key + path.length();
                assertThat(wire.send(post(path, ORDER).header("Idempotency-Key", own))
                                .code())
                        .isEqualTo(200);
                assertThat(wire.send(post(path, ORDER).header("Idempotency-Key", own))
                                .header("Idempotent-Replayed"))
                        .isEqualTo("true");
            }
        });
    }

    /** A retry may come another way: past the proxy, or by one that stands below another host and prefix. */
    @Test
    void whatAProxySaysOfTheWayIsNoPartOfTheRequest() {
        serve(Map.of(PATH, "/plain/**", "micronaut.server.context-path", "/shop"), (server, wire) -> {
            assertThat(send(wire, "/shop/plain/pojo").code()).isEqualTo(201);
            HttpResponse<byte[]> replay = wire.send(post("/shop/plain/pojo", ORDER)
                    .header("Idempotency-Key", key)
                    .header("Forwarded", "for=192.0.2.1;host=api.example;proto=https")
                    .header("X-Forwarded-Host", "api.example")
                    .header("X-Forwarded-Proto", "https")
                    .header("X-Forwarded-Prefix", "/api"));
            assertThat(replay.code()).isEqualTo(201);
            assertThat(replay.header("Idempotent-Replayed")).isEqualTo("true");
        });
    }

    @Test
    void aBodyThatIsTooLongToBeHeldIsRefusedAndSpendsNoKey() {
        serve(Map.of(PATH, "/plain/**", "micronaut.server.max-request-buffer-size", "1KB"), (server, wire) -> {
            HttpResponse<byte[]> refused =
                    wire.send(post("/plain/pojo", " ".repeat(5000) + ORDER).header("Idempotency-Key", key));
            assertThat(refused.code()).isEqualTo(413);
            assertThat(text(refused)).contains("larger than this server takes").doesNotContain("micronaut");
            assertThat(send(wire, "/plain/pojo").code()).isEqualTo(201);
        });
    }

    @Test
    void aSlashAtTheEndOfAPatternMakesNoDifference() {
        serve(
                Map.of(PATH, "/plain/pojo/"),
                (server, wire) ->
                        assertThat(wire.send(post("/plain/pojo", ORDER)).code()).isEqualTo(400));
    }

    @Test
    void aBlockingStoreIsNeverAskedOnTheEventLoop() {
        serve(
                Map.of(PATH, "/plain/**", "test.blocking-store", true, "idempotency.store", "blocking"),
                (server, wire) -> {
                    for (String path : List.of("/plain/pojo", "/plain/mono", "/plain/blocking")) {
                        send(wire, path);
                        send(wire, path);
                    }
                    BlockingStores stores = server.getApplicationContext().getBean(BlockingStores.class);
                    assertThat(stores.calls.get()).isGreaterThanOrEqualTo(5);
                    assertThat(stores.nonBlockingCallers).isEmpty();
                });
    }

    @Test
    void aRouteLeavesTheEventLoopOnlyWhereItsStoreMayBlock() {
        serve(
                Map.of(PATH, "/thread"),
                (server, wire) -> assertThat(text(send(wire, "/thread"))).isEqualTo("true"));
        serve(
                Map.of(PATH, "/thread", "test.blocking-store", true, "idempotency.store", "blocking"),
                (server, wire) -> assertThat(text(send(wire, "/thread"))).isEqualTo("false"));
    }

    @Test
    void ofManyRequestsAtOnceOneIsPassedOnAndAllOthersLearnItsAnswerOrThatItRuns() {
        serve(Map.of(PATH, "/plain/**"), (server, wire) -> {
            List<Integer> codes = Flux.range(0, 200)
                    .flatMap(
                            i -> Flux.from(wire.client()
                                            .exchange(
                                                    post("/plain/pojo", ORDER).header("Idempotency-Key", key),
                                                    byte[].class))
                                    .map(HttpResponse::code)
                                    .onErrorResume(
                                            io.micronaut.http.client.exceptions.HttpClientResponseException.class,
                                            e -> Flux.just(e.code())),
                            50)
                    .collectList()
                    .block();
            assertThat(codes).hasSize(200).isSubsetOf(201, 409).contains(201);
            assertThat(server.getApplicationContext().getBean(PlainController.class).bodies)
                    .hasValue(1);
        });
    }

    @Test
    void theMostSpecificPatternDecides() {
        serve(
                Map.of(
                        PATH,
                        "/plain/**",
                        "idempotency.http.routes.a-special.path",
                        "/plain/te*",
                        "idempotency.operations.a-special.key-required",
                        false),
                (server, wire) -> {
                    assertThat(wire.send(post("/plain/text", ORDER)).code()).isEqualTo(200);
                    assertThat(wire.send(post("/plain/pojo", ORDER)).code()).isEqualTo(400);
                });
    }

    @Test
    void onlyTheConfiguredMethodsAreProtected() {
        serve(Map.of(PATH, "/plain/**", "idempotency.http.routes.plain-route.methods", "DELETE"), (server, wire) -> {
            assertThat(wire.send(post("/plain/pojo", ORDER)).code()).isEqualTo(201);
            assertThat(wire.send(HttpRequest.DELETE("/plain/1")).code()).isEqualTo(400);
        });
    }

    @Test
    void methodsThatMicronautDoesNotKnowAreProtectedUnlessTheyAreRegisteredAsSafe() {
        serve(Map.of(PATH, "/plain/**"), (server, wire) -> {
            assertThat(wire.send(HttpRequest.create(HttpMethod.CUSTOM, "/plain/link", "LINK"))
                            .code())
                    .isEqualTo(400);
            assertThat(wire.send(HttpRequest.create(HttpMethod.CUSTOM, "/plain/found", "PROPFIND"))
                            .code())
                    .isEqualTo(200);
        });
    }

    @Test
    void everythingSwitchedOffPassesRequestsOn() {
        serve(
                Map.of(PATH, "/plain/**", "idempotency.enabled", false),
                (server, wire) ->
                        assertThat(wire.send(post("/plain/pojo", ORDER)).code()).isEqualTo(201));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "idempotency.http.routes.r.methods|POST|idempotency.http.routes.r.path: it is missing",
                "idempotency.http.routes.r.path|orders|'orders' does not start with a slash",
                "idempotency.http.routes.r.path|/orders/{id}|'/orders/{id}' has a variable in braces",
                "idempotency.http.routes.plain-route.methods|GET|a safe method",
                "idempotency.http.routes.plain-route.pfad|/x|pfad",
                "idempotency.operations.plain-route.on-abandoned|RECONCILE|has no @Reconciles method",
                "idempotency.operations.plain-route.lease|1ms|lease",
                "idempotency.operations.plain-rute.lease|30s|there is no operation of that name",
                "idempotency.operations.plain-rute.lease|30s|Did you mean 'plain-route'?",
                "idempotency.http.operations.plain-route.no-effect-status|503|whose statuses stand with its path",
                "idempotency.http.operations.outcomes-declred.no-effect-status|503|Did you mean 'outcomes-declared'?"
            })
    void aMistakeStopsTheStartAndIsNamed(String property, String value, String said) {
        assertThatThrownBy(() -> ApplicationContext.run(
                                EmbeddedServer.class,
                                Map.of("test.plain", true, "test.outcomes", true, PATH, "/plain/**", property, value))
                        .close())
                .hasStackTraceContaining(said);
    }
}
