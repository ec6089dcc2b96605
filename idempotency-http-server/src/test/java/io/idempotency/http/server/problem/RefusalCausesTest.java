package io.idempotency.http.server.problem;

import static io.idempotency.http.server.Wire.post;
import static io.idempotency.http.server.Wire.text;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.IThrowableProxy;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.read.ListAppender;
import io.idempotency.IdempotencyException.Retry;
import io.idempotency.Reconciliation;
import io.idempotency.Refusal;
import io.idempotency.http.server.Wire;
import io.idempotency.runtime.store.AuditNote;
import io.idempotency.runtime.store.Claim;
import io.idempotency.runtime.store.Resolution;
import io.idempotency.runtime.store.StoreFullException;
import io.idempotency.runtime.store.StoredFailure;
import io.idempotency.runtime.store.StoredRecord;
import io.idempotency.runtime.store.StoredResult;
import io.idempotency.runtime.store.UnreadableRecordException;
import io.idempotency.test.FaultyStore;
import io.idempotency.test.FaultyStore.Call;
import io.idempotency.test.IdempotencyTestKit;
import io.micronaut.context.ApplicationContext;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.MutableHttpRequest;
import io.micronaut.http.client.HttpClient;
import io.micronaut.runtime.graceful.GracefulShutdownCapable;
import io.micronaut.runtime.server.EmbeddedServer;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.slf4j.LoggerFactory;

/**
 * Each refusal as each of its causes brings it about, in each form and by both kinds of route: the caller reads nothing of the
 * inside, and whoever reads the log learns the cause.
 */
class RefusalCausesTest {

    /** The common pool has one thread on two cores, and each of these callers waits in its own. */
    private static final Executor NEW_THREAD = task -> new Thread(task, "caller").start();

    private static final String SECRET = "SQLTransientException at db-7.internal:5432 for ada@example.com";
    private static final String ASK = "\"ask\"";
    private static final Duration LEASE = Duration.ofSeconds(30);
    private static final Duration DAY = Duration.ofDays(1);
    private static final List<String> ANNOTATED = List.of("annotated");
    private static final String SEAL = "c2VjcmV0IGtleSBvZiB0aGUgdGVzdCwgMzIgYnl0ZXM=";

    /** Names of classes and properties, addresses, ids, and what our own advice to operators consists of. */
    private static final Pattern INSIDE =
            Pattern.compile("Exception|java\\.|io\\.|idempotency\\.|db-7|:\\d{4}|ada@|@|[Ll]ease"
                    + "|memory|fingerprint|fence|on[A-Z]|whenIn|waitTime|elsewhere-7|[0-9a-f]{9}");

    private static final Pattern WHOLE_ID = Pattern.compile("[0-9a-f]{64}");

    private static EmbeddedServer server;

    /**
     * One way to a refusal.
     *
     * @param said what only the log says of it
     * @param routes for which kinds of route there is this way
     * @param way gives the refused answer
     */
    private record Cause(Refusal refusal, String said, List<String> routes, Function<Scene, HttpResponse<byte[]>> way) {
        Cause(Refusal refusal, String said, Function<Scene, HttpResponse<byte[]>> way) {
            this(refusal, said, List.of("annotated", "configured"), way);
        }

        @Override
        public String toString() {
            return refusal.code() + ": " + said;
        }
    }

    private static final List<Cause> CAUSES = List.of(
            new Cause(Refusal.KEY_MISSING, "key-required", scene -> scene.send(scene.request(ASK))),
            new Cause(Refusal.KEY_INVALID, "header is malformed", scene -> scene.send(scene.request(ASK, "a,b"))),
            new Cause(Refusal.KEY_INVALID, "header is malformed", scene -> scene.send(scene.request(ASK, "k", "k"))),
            new Cause(Refusal.IN_PROGRESS, "is running in this application (attempt 1)", Scene::whileItRuns),
            new Cause(Refusal.IN_PROGRESS, "is running (attempt 1, since ", Scene::crashed),
            new Cause(Refusal.IN_PROGRESS, "was not over after PT0.05S (waitTimeout)", scene -> {
                scene.kind = "-hasty";
                return scene.whileItRuns();
            }),
            new Cause(Refusal.IN_PROGRESS, "idempotency.max-waiters-per-key", scene -> {
                scene.kind = "-patient";
                return scene.whileItRuns(2);
            }),
            new Cause(Refusal.KEY_REUSED, "other arguments", scene -> {
                scene.send();
                return scene.send(scene.request("\"other\"", scene.key));
            }),
            new Cause(Refusal.KEY_USED_ELSEWHERE, "elsewhere-7", scene -> scene.claimed("elsewhere-7", "")),
            new Cause(Refusal.KEY_FOREIGN, "another caller", scene -> {
                scene.send();
                scene.caller = UUID.randomUUID().toString();
                return scene.send();
            }),
            new Cause(Refusal.OUTCOME_UNKNOWN, "its owner vanished (lease over since ", scene -> {
                scene.crashed();
                scene.kit.skip(LEASE.plusSeconds(1));
                return scene.send();
            }),
            new Cause(Refusal.OUTCOME_UNKNOWN, TimeoutException.class.getName(), Scene::cutOff),
            new Cause(Refusal.OUTCOME_UNKNOWN, "operation 'inner', which was refused for now", scene -> {
                scene.throwing(Refusal.STORE_UNAVAILABLE.exception("inner", "ab".repeat(32), SECRET, null));
                return scene.send();
            }),
            new Cause(Refusal.OUTCOME_UNKNOWN, "and would wait for itself", ANNOTATED, scene -> {
                scene.kind = "-patient";
                scene.controller.body = () -> scene.controller.patient(ASK);
                return scene.send();
            }),
            new Cause(
                    Refusal.OUTCOME_UNKNOWN,
                    "but after the lease was over",
                    ANNOTATED,
                    scene -> scene.reconciled(() -> {
                        scene.store.refuse(Call.RENEW);
                        scene.kit.skip(LEASE.plusSeconds(1));
                        return Reconciliation.absent();
                    })),
            new Cause(
                    Refusal.OUTCOME_UNKNOWN,
                    "its reconciler failed",
                    ANNOTATED,
                    scene -> scene.reconciled(() -> {
                        throw new IllegalStateException(SECRET);
                    })),
            new Cause(
                    Refusal.OUTCOME_UNKNOWN,
                    SECRET,
                    ANNOTATED,
                    scene -> scene.reconciled(() -> Reconciliation.unknown(SECRET))),
            new Cause(
                    Refusal.OUTCOME_UNKNOWN,
                    SECRET,
                    scene -> scene.failing(new UnreadableRecordException(scene.controller.last, SECRET))),
            new Cause(Refusal.RESULT_UNAVAILABLE, "was not stored: ", scene -> {
                scene.controller.body = () -> "x".repeat(5000);
                scene.send();
                return scene.send();
            }),
            new Cause(Refusal.RESULT_UNAVAILABLE, "cannot be decoded", scene -> {
                byte[] garbage = {1, 2, 3};
                return scene.settled(new Resolution.Complete(new StoredResult.Present(garbage), DAY));
            }),
            new Cause(
                    Refusal.RESULT_UNAVAILABLE,
                    "@Reloads method knows none",
                    ANNOTATED,
                    scene -> scene.reloaded(() -> null)),
            new Cause(
                    Refusal.RESULT_UNAVAILABLE,
                    "@Reloads method failed",
                    ANNOTATED,
                    scene -> scene.reloaded(() -> {
                        throw new IllegalStateException(SECRET);
                    })),
            new Cause(
                    Refusal.RESULT_UNAVAILABLE,
                    "it is not encrypted",
                    scene -> scene.sealed(
                            new Resolution.Complete(new StoredResult.Present(SECRET.getBytes(UTF_8)), DAY))),
            new Cause(
                    Refusal.PREVIOUS_ATTEMPT_FAILED,
                    "it is not encrypted",
                    scene -> scene.sealed(
                            new Resolution.Fail(new StoredFailure("com.bank.RefusedException", SECRET, null), DAY))),
            new Cause(
                    Refusal.PREVIOUS_ATTEMPT_FAILED,
                    SECRET,
                    scene -> scene.settled(
                            new Resolution.Fail(new StoredFailure("com.bank.RefusedException", SECRET, "E-7"), DAY))),
            new Cause(Refusal.STORE_UNAVAILABLE, SECRET, scene -> scene.failing(new IllegalStateException(SECRET))),
            new Cause(Refusal.STORE_UNAVAILABLE, "lost the reply", scene -> {
                scene.store.loseReply(Call.CLAIM);
                return scene.send();
            }),
            new Cause(Refusal.STORE_UNAVAILABLE, "raise the lease (idempotency.lease)", scene -> {
                scene.store.before(Call.CLAIM, () -> scene.kit.skip(LEASE));
                return scene.send();
            }),
            new Cause(
                    Refusal.STORE_UNAVAILABLE,
                    "idempotency.fingerprint.other-secrets",
                    scene -> scene.claimed(scene.operation(), "z")),
            new Cause(Refusal.STORE_UNAVAILABLE, "micronaut.executors.blocking", scene -> {
                scene.kind = "-later";
                return scene.answeredToNoThread();
            }),
            new Cause(Refusal.TOO_MANY_RECORDS, SECRET, scene -> scene.failing(new StoreFullException(SECRET, null))),
            new Cause(Refusal.TOO_MANY_RECORDS, "has claimed as many new keys as it may", scene -> {
                scene.send();
                scene.send(scene.request(ASK, scene.key + 2));
                return scene.send(scene.request(ASK, scene.key + 3));
            }),
            new Cause(Refusal.SHUTTING_DOWN, "the application shuts down and starts no new body", scene -> {
                try (EmbeddedServer stopping = start(Map.of());
                        Scene last = new Scene(stopping, scene.route, scene.accept)) {
                    stopping.getApplicationContext().getBeansOfType(GracefulShutdownCapable.class).stream()
                            .filter(each -> each.getClass().getName().startsWith("io.idempotency"))
                            .forEach(GracefulShutdownCapable::shutdownGracefully);
                    return last.send();
                }
            }));

    private final ListAppender<ILoggingEvent> log = new ListAppender<>();
    private final Logger library = (Logger) LoggerFactory.getLogger("io.idempotency");

    private static EmbeddedServer start(Map<String, Object> more) {
        Map<String, Object> properties = new HashMap<>(more);
        properties.put("test.causes", true);
        properties.put("idempotency.test.enabled", true);
        properties.put("idempotency.store", "memory");
        properties.put("idempotency.lease", LEASE);
        properties.put("idempotency.max-result-size", 4000);
        properties.put("idempotency.max-waiters-per-key", 1);
        properties.put("idempotency.max-new-keys-per-caller", 2);
        properties.put("idempotency.http.other-callers", "FORBID");
        properties.put("micronaut.server.port", -1);
        for (String kind : List.of("", "-patient", "-hasty", "-later")) {
            properties.put("idempotency.http.routes.causes-configured" + kind + ".path", "/causes/configured" + kind);
        }
        Map.of("-patient", "25s", "-hasty", "50ms").forEach((kind, timeout) -> {
            properties.put("idempotency.operations.causes-configured" + kind + ".when-in-progress", "WAIT");
            properties.put("idempotency.operations.causes-configured" + kind + ".wait-timeout", timeout);
        });
        return ApplicationContext.run(EmbeddedServer.class, properties);
    }

    @BeforeAll
    static void serve() {
        server = start(Map.of());
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @BeforeEach
    void listen() {
        library.setLevel(Level.DEBUG);
        log.list = new CopyOnWriteArrayList<>(); // the server's threads log while a test reads
        log.start();
        library.addAppender(log);
    }

    @AfterEach
    void stopListening() {
        library.detachAppender(log);
        library.setLevel(null);
        server.getApplicationContext().getBean(FullExecutor.class).full.set(false);
        server.getApplicationContext().getBean(IdempotencyTestKit.class).reset();
    }

    /** One request's way to its refusal. */
    private static final class Scene implements AutoCloseable {
        private final Wire wire;
        private final String route;
        private final String accept;
        private final CausesController controller;
        private final IdempotencyTestKit kit;
        private final FaultyStore store;
        private final FullExecutor executor;
        private final String key = UUID.randomUUID().toString();
        private String kind = "";
        private String caller = UUID.randomUUID().toString();

        Scene(EmbeddedServer server, String route, String accept) {
            ApplicationContext context = server.getApplicationContext();
            this.wire = new Wire(context.createBean(HttpClient.class, server.getURL()));
            this.route = route;
            this.accept = accept;
            this.controller = context.getBean(CausesController.class);
            this.kit = context.getBean(IdempotencyTestKit.class);
            this.store = kit.store();
            this.executor = context.getBean(FullExecutor.class);
            controller.body = () -> "done";
            controller.bodies.set(0);
        }

        @Override
        public void close() {
            wire.client().close();
        }

        String operation() {
            return "causes-" + route + kind;
        }

        MutableHttpRequest<String> request(String body, String... keys) {
            MutableHttpRequest<String> request =
                    post("/causes/" + route + kind, body).header("Authorization", "Bearer " + caller);
            request.getHeaders().set("Accept", accept);
            for (String each : keys) {
                request.header("Idempotency-Key", each);
            }
            return request;
        }

        /** Whatever is refused on the way: that the body did not run, or did, is the truth. */
        HttpResponse<byte[]> send(MutableHttpRequest<String> request) {
            int before = controller.bodies.get();
            HttpResponse<byte[]> response = wire.send(request);
            String status = Objects.requireNonNullElse(response.header("Idempotency-Status"), "")
                    .split(",")[0];
            if (status.contains("executed=no") || status.contains("code=in-progress")) {
                assertThat(controller.bodies).as(status).hasValue(before);
            } else if (status.contains("executed=yes")) {
                assertThat(controller.bodies).as(status).hasPositiveValue();
            }
            return response;
        }

        HttpResponse<byte[]> send() {
            return send(request(ASK, key));
        }

        void throwing(Exception thrown) {
            controller.body = () -> {
                throw thrown;
            };
        }

        HttpResponse<byte[]> whileItRuns() {
            return whileItRuns(1);
        }

        /** The first of several duplicates that gets an answer while the body runs. */
        HttpResponse<byte[]> whileItRuns(int duplicates) {
            CompletableFuture<Void> running = new CompletableFuture<>();
            CompletableFuture<String> result = new CompletableFuture<>();
            controller.body = () -> {
                running.complete(null);
                return result.join();
            };
            CompletableFuture<HttpResponse<byte[]>> first = later();
            CompletableFuture.anyOf(running, first).join();
            List<CompletableFuture<HttpResponse<byte[]>>> others =
                    Stream.generate(this::later).limit(duplicates).toList();
            CompletableFuture.anyOf(others.toArray(CompletableFuture[]::new)).join();
            List<HttpResponse<byte[]>> refused = others.stream()
                    .filter(CompletableFuture::isDone)
                    .map(CompletableFuture::join)
                    .toList();
            result.complete("done");
            assertThat(first.join().code()).isEqualTo(200);
            others.forEach(CompletableFuture::join);
            assertThat(controller.bodies).hasValue(1);
            return refused.get(0);
        }

        /** The store answers when the thread that asked has gone, which would go on itself otherwise; and there is no other one. */
        HttpResponse<byte[]> answeredToNoThread() {
            CompletableFuture<Thread> asks = new CompletableFuture<>();
            store.hold(Call.CLAIM);
            store.before(Call.CLAIM, () -> {
                executor.full.set(true);
                asks.complete(Thread.currentThread());
            });
            CompletableFuture<HttpResponse<byte[]>> refused = later();
            Thread asking = asks.orTimeout(60, TimeUnit.SECONDS).join();
            await().until(() -> Stream.of(asking.getStackTrace())
                    .noneMatch(frame -> frame.getClassName().startsWith("io.idempotency.runtime")));
            store.mend();
            HttpResponse<byte[]> answer = refused.join();
            assertThat(controller.bodies).hasValue(0);
            return answer;
        }

        private CompletableFuture<HttpResponse<byte[]>> later() {
            return CompletableFuture.supplyAsync(() -> wire.send(request(ASK, key)), NEW_THREAD);
        }

        HttpResponse<byte[]> reloaded(Callable<String> reload) {
            kind = "-reloaded";
            controller.body = () -> "x".repeat(5000);
            controller.reload = reload;
            send();
            return send();
        }

        HttpResponse<byte[]> reconciled(Callable<Reconciliation<String>> answer) {
            kind = "-reconciled";
            controller.reconciliation = answer;
            crashed();
            kit.skip(LEASE.plusSeconds(1));
            int before = controller.bodies.get();
            HttpResponse<byte[]> refused = send();
            assertThat(controller.bodies).hasValue(before);
            return refused;
        }

        /** As an operator or another node left it, where outcomes are encrypted. */
        HttpResponse<byte[]> sealed(Resolution resolution) {
            try (EmbeddedServer sealing =
                            start(Map.of("idempotency.encryption.key", SEAL, "idempotency.encryption.required", true));
                    Scene there = new Scene(sealing, route, accept)) {
                return there.settled(resolution);
            }
        }

        HttpResponse<byte[]> crashed() {
            store.crashNextOwner();
            send();
            return send();
        }

        HttpResponse<byte[]> cutOff() {
            throwing(new TimeoutException(SECRET));
            send();
            return send();
        }

        HttpResponse<byte[]> failing(RuntimeException failure) {
            store.before(Call.CLAIM, () -> {
                throw failure;
            });
            return send();
        }

        /** An operator settles the record in doubt. */
        StoredRecord settle(Resolution resolution) {
            cutOff();
            StoredRecord record =
                    store.find(controller.last).toCompletableFuture().join().orElseThrow();
            store.resolve(record.id(), record.fence(), resolution, new AuditNote("by an operator", DAY))
                    .toCompletableFuture()
                    .join();
            return record;
        }

        HttpResponse<byte[]> settled(Resolution resolution) {
            settle(resolution);
            return send();
        }

        /** The same call as another node claims it. */
        HttpResponse<byte[]> claimed(String operation, String form) {
            StoredRecord record = settle(new Resolution.Forget());
            String fingerprint = form + record.fingerprint().substring(form.isEmpty() ? 0 : 1);
            store.claim(new Claim(record.id(), operation, fingerprint, "owner", LEASE, DAY, false))
                    .toCompletableFuture()
                    .join();
            return send();
        }
    }

    static Stream<Arguments> causes() {
        return CAUSES.stream()
                .flatMap(cause -> cause.routes().stream()
                        .flatMap(route -> Stream.of("application/json", "text/plain,*/*;q=0.1", "text/html,*/*;q=0.8")
                                .map(form -> Arguments.of(cause, route, form))));
    }

    @Test
    void everyRefusalHasACauseHere() {
        assertThat(CAUSES.stream().map(Cause::refusal)).contains(Refusal.values());
    }

    @ParameterizedTest
    @MethodSource("causes")
    void theCallerLearnsWhatItMeansAndTheLogWhatItIs(Cause cause, String route, String form) {
        try (Scene scene = new Scene(server, route, form)) {
            assertSaysNothingOfTheInside(
                    cause.refusal(), scene.operation(), cause.way().apply(scene));
        }
        assertThat(log.list.stream().map(RefusalCausesTest::line))
                .anyMatch(line -> line.contains(cause.said()))
                .noneMatch(line -> WHOLE_ID.matcher(line).find());
    }

    private static void assertSaysNothingOfTheInside(Refusal refusal, String operation, HttpResponse<byte[]> refused) {
        String body = text(refused).replaceAll("(?s)<style>.*?</style>|<svg.*?</svg>", "");
        assertThat(refused.code()).as(body).isEqualTo(refusal.status());
        assertThat(refused.header("Idempotency-Status")).startsWith("refused;code=" + refusal.code() + ";");
        assertThat(body).contains(refusal.code(), operation);
        assertThat(refused.header("Idempotency-Status"))
                .contains(";retry=" + refusal.retry().code());
        assertThat(refused.header("Retry-After") != null).isEqualTo(refusal.retry() == Retry.SAME_KEY);
        assertThat(body.replace("/problems/idempotency/", "")).doesNotContainPattern(INSIDE);
        refused.getHeaders()
                .forEach((name, values) -> assertThat(values)
                        .as(name)
                        .noneMatch(value -> INSIDE.matcher(value).find()));
    }

    private static String line(ILoggingEvent event) {
        IThrowableProxy thrown = event.getThrowableProxy();
        return event.getFormattedMessage() + (thrown == null ? "" : ThrowableProxyUtil.asString(thrown));
    }
}
