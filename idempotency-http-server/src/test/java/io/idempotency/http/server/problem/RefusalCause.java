package io.idempotency.http.server.problem;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.idempotency.Reconciliation;
import io.idempotency.Refusal;
import io.idempotency.runtime.store.IdempotencyStore.StoreFullException;
import io.idempotency.runtime.store.Resolution;
import io.idempotency.runtime.store.StoredFailure;
import io.idempotency.runtime.store.StoredResult;
import io.idempotency.runtime.store.UnreadableRecordException;
import io.idempotency.test.FaultyStore.Call;
import io.micronaut.http.HttpResponse;
import io.micronaut.runtime.graceful.GracefulShutdownCapable;
import io.micronaut.runtime.server.EmbeddedServer;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * One way to a refusal.
 *
 * @param said what only the log says of it
 * @param routes for which kinds of route there is this way
 * @param way gives the refused answer
 */
record RefusalCause(
        Refusal refusal, String said, List<String> routes, Function<RefusalScene, HttpResponse<byte[]>> way) {

    private static final String SECRET = RefusalScene.SECRET;
    private static final List<String> ANNOTATED = List.of("annotated");

    /** What is wrong with the key, or who else used it. */
    private static final List<RefusalCause> OF_KEYS = List.of(
            new RefusalCause(Refusal.KEY_MISSING, "key-required", scene -> scene.send(scene.request(RefusalScene.ASK))),
            new RefusalCause(
                    Refusal.KEY_INVALID,
                    "header is malformed",
                    scene -> scene.send(scene.request(RefusalScene.ASK, "a,b"))),
            new RefusalCause(
                    Refusal.KEY_INVALID,
                    "header is malformed",
                    scene -> scene.send(scene.request(RefusalScene.ASK, "k", "k"))),
            new RefusalCause(Refusal.KEY_REUSED, "other arguments", scene -> {
                scene.send();
                return scene.send(scene.request("\"other\"", scene.key));
            }),
            new RefusalCause(Refusal.KEY_USED_ELSEWHERE, "elsewhere-7", scene -> scene.claimed("elsewhere-7", "")),
            new RefusalCause(Refusal.KEY_FOREIGN, "another caller", scene -> {
                scene.send();
                scene.caller = UUID.randomUUID().toString();
                return scene.send();
            }));

    /** An earlier call that is not over. */
    private static final List<RefusalCause> OF_RUNNING_CALLS = List.of(
            new RefusalCause(
                    Refusal.IN_PROGRESS, "is running in this application (attempt 1)", RefusalScene::whileItRuns),
            new RefusalCause(Refusal.IN_PROGRESS, "is running (attempt 1, since ", RefusalScene::crashed),
            new RefusalCause(Refusal.IN_PROGRESS, "was not over after PT0.05S (waitTimeout)", scene -> {
                scene.kind = "-hasty";
                return scene.whileItRuns();
            }),
            new RefusalCause(Refusal.IN_PROGRESS, "idempotency.max-waiters-per-key", scene -> {
                scene.kind = "-patient";
                return scene.whileItRuns(2);
            }));

    /** An earlier call of which nobody knows what it did. */
    private static final List<RefusalCause> OF_UNKNOWN_OUTCOMES = List.of(
            new RefusalCause(Refusal.OUTCOME_UNKNOWN, "its owner vanished (lease over since ", scene -> {
                scene.crashed();
                scene.kit.skip(RefusalScene.LEASE.plusSeconds(1));
                return scene.send();
            }),
            new RefusalCause(Refusal.OUTCOME_UNKNOWN, TimeoutException.class.getName(), RefusalScene::cutOff),
            new RefusalCause(Refusal.OUTCOME_UNKNOWN, "operation 'inner', which was refused for now", scene -> {
                scene.throwing(Refusal.STORE_UNAVAILABLE.exception("inner", "ab".repeat(32), SECRET, null));
                return scene.send();
            }),
            new RefusalCause(Refusal.OUTCOME_UNKNOWN, "and would wait for itself", ANNOTATED, scene -> {
                scene.kind = "-patient";
                scene.controller.body = () -> scene.controller.patient(RefusalScene.ASK);
                return scene.send();
            }),
            new RefusalCause(
                    Refusal.OUTCOME_UNKNOWN,
                    "but after the lease was over",
                    ANNOTATED,
                    scene -> scene.reconciled(() -> {
                        scene.store.refuse(Call.RENEW);
                        scene.kit.skip(RefusalScene.LEASE.plusSeconds(1));
                        return Reconciliation.absent();
                    })),
            new RefusalCause(
                    Refusal.OUTCOME_UNKNOWN,
                    "its reconciler failed",
                    ANNOTATED,
                    scene -> scene.reconciled(() -> {
                        throw new IllegalStateException(SECRET);
                    })),
            new RefusalCause(
                    Refusal.OUTCOME_UNKNOWN,
                    SECRET,
                    ANNOTATED,
                    scene -> scene.reconciled(() -> Reconciliation.unknown(SECRET))),
            new RefusalCause(
                    Refusal.OUTCOME_UNKNOWN,
                    SECRET,
                    scene -> scene.failing(new UnreadableRecordException(scene.controller.last, SECRET))));

    /** An earlier call that ran, and whose result nobody has. */
    private static final List<RefusalCause> OF_LOST_RESULTS = List.of(
            new RefusalCause(Refusal.RESULT_UNAVAILABLE, "was not stored: ", scene -> {
                scene.controller.body = () -> "x".repeat(5000);
                scene.send();
                return scene.send();
            }),
            new RefusalCause(Refusal.RESULT_UNAVAILABLE, "cannot be decoded", scene -> {
                byte[] garbage = {1, 2, 3};
                return scene.settled(new Resolution.Complete(new StoredResult.Present(garbage), RefusalScene.DAY));
            }),
            new RefusalCause(
                    Refusal.RESULT_UNAVAILABLE,
                    "@Reloads method knows none",
                    ANNOTATED,
                    scene -> scene.reloaded(() -> null)),
            new RefusalCause(
                    Refusal.RESULT_UNAVAILABLE,
                    "@Reloads method failed",
                    ANNOTATED,
                    scene -> scene.reloaded(() -> {
                        throw new IllegalStateException(SECRET);
                    })),
            new RefusalCause(
                    Refusal.RESULT_UNAVAILABLE,
                    "it is not encrypted",
                    scene -> scene.sealed(new Resolution.Complete(
                            new StoredResult.Present(SECRET.getBytes(UTF_8)), RefusalScene.DAY))),
            new RefusalCause(
                    Refusal.PREVIOUS_ATTEMPT_FAILED,
                    "it is not encrypted",
                    scene -> scene.sealed(new Resolution.Fail(
                            new StoredFailure("com.bank.RefusedException", SECRET, null), RefusalScene.DAY))),
            new RefusalCause(
                    Refusal.PREVIOUS_ATTEMPT_FAILED,
                    SECRET,
                    scene -> scene.settled(new Resolution.Fail(
                            new StoredFailure("com.bank.RefusedException", SECRET, "E-7"), RefusalScene.DAY))));

    /** A store that does not answer or has no room, and a server that stops. */
    private static final List<RefusalCause> OF_THE_SERVER = List.of(
            new RefusalCause(
                    Refusal.STORE_UNAVAILABLE, SECRET, scene -> scene.failing(new IllegalStateException(SECRET))),
            new RefusalCause(Refusal.STORE_UNAVAILABLE, "lost the reply", scene -> {
                scene.store.loseReply(Call.CLAIM);
                return scene.send();
            }),
            // its caller may have stopped waiting first, and says so then
            new RefusalCause(Refusal.STORE_UNAVAILABLE, "so the body did not run", scene -> {
                scene.store.before(Call.CLAIM, () -> scene.kit.skip(RefusalScene.LEASE));
                return scene.send();
            }),
            // larger requests are fingerprinted on a thread of their own, where there is one
            new RefusalCause(
                    Refusal.STORE_UNAVAILABLE,
                    "took no task",
                    List.of("configured"),
                    scene -> scene.withoutAThread("\"" + "x".repeat(70_000) + "\"")),
            new RefusalCause(
                    Refusal.STORE_UNAVAILABLE,
                    "idempotency.fingerprint.other-secrets",
                    scene -> scene.claimed(scene.operation(), "z")),
            new RefusalCause(
                    Refusal.TOO_MANY_RECORDS, SECRET, scene -> scene.failing(new StoreFullException(SECRET, null))),
            new RefusalCause(Refusal.TOO_MANY_RECORDS, "has claimed as many new keys as it may", scene -> {
                scene.send();
                scene.send(scene.request(RefusalScene.ASK, scene.key + 2));
                return scene.send(scene.request(RefusalScene.ASK, scene.key + 3));
            }),
            new RefusalCause(Refusal.SHUTTING_DOWN, "the application shuts down and starts no new body", scene -> {
                try (EmbeddedServer stopping = RefusalScene.start(Map.of());
                        RefusalScene last = new RefusalScene(stopping, scene.route, scene.accept)) {
                    stopping.getApplicationContext().getBeansOfType(GracefulShutdownCapable.class).stream()
                            .filter(each -> each.getClass().getName().startsWith("io.idempotency"))
                            .forEach(each -> each.shutdownGracefully()
                                    .toCompletableFuture()
                                    .join());
                    return last.send();
                }
            }));

    RefusalCause(Refusal refusal, String said, Function<RefusalScene, HttpResponse<byte[]>> way) {
        this(refusal, said, List.of("annotated", "configured"), way);
    }

    static List<RefusalCause> all() {
        return Stream.of(OF_KEYS, OF_RUNNING_CALLS, OF_UNKNOWN_OUTCOMES, OF_LOST_RESULTS, OF_THE_SERVER)
                .flatMap(List::stream)
                .toList();
    }

    @Override
    public String toString() {
        return refusal.code() + ": " + said;
    }
}
