package io.idempotency.http.server.problem;

import static io.idempotency.http.server.Wire.post;
import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.Reconciliation;
import io.idempotency.http.server.Wire;
import io.idempotency.runtime.store.AuditNote;
import io.idempotency.runtime.store.Claim;
import io.idempotency.runtime.store.Resolution;
import io.idempotency.runtime.store.StoredRecord;
import io.idempotency.test.FaultyStore;
import io.idempotency.test.FaultyStore.Call;
import io.idempotency.test.IdempotencyTestKit;
import io.micronaut.context.ApplicationContext;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.MutableHttpRequest;
import io.micronaut.http.client.HttpClient;
import io.micronaut.runtime.server.EmbeddedServer;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;

/** One request's way to its refusal. */
final class RefusalScene implements AutoCloseable {
    static final String SECRET = "SQLTransientException at db-7.internal:5432 for ada@example.com";
    static final String ASK = "\"ask\"";
    static final Duration LEASE = Duration.ofSeconds(30);
    static final Duration DAY = Duration.ofDays(1);

    /** The common pool has one thread on two cores, and each of these callers waits in its own. */
    private static final Executor NEW_THREAD = task -> new Thread(task, "caller").start();

    private static final String SEAL = "c2VjcmV0IGtleSBvZiB0aGUgdGVzdCwgMzIgYnl0ZXM=";

    private final Wire wire;
    final String route;
    final String accept;
    final CausesController controller;
    final IdempotencyTestKit kit;
    final FaultyStore store;
    private final FullExecutor executor;
    final String key = UUID.randomUUID().toString();
    String kind = "";
    String caller = UUID.randomUUID().toString();

    static EmbeddedServer start(Map<String, Object> more) {
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

    RefusalScene(EmbeddedServer server, String route, String accept) {
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

    /** While the application's executor takes no task. */
    HttpResponse<byte[]> withoutAThread(String body) {
        executor.full.set(true);
        return send(request(body, key));
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
                RefusalScene there = new RefusalScene(sealing, route, accept)) {
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
        StoredRecord record = store.find(controller.last).orElseThrow();
        store.resolve(record.id(), record.fence(), resolution, new AuditNote("by an operator", DAY));
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
        store.claim(new Claim(record.id(), operation, fingerprint, "owner", LEASE, DAY, false));
        return send();
    }
}
