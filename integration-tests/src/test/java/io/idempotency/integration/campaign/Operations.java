package io.idempotency.integration.campaign;

import io.idempotency.IdempotencyContext;
import io.idempotency.IdempotentOperation;
import io.idempotency.NotFingerprinted;
import io.idempotency.OnAbandoned;
import io.idempotency.OnFailure;
import io.idempotency.OtherCallers;
import io.idempotency.Reconciles;
import io.idempotency.Reconciliation;
import io.idempotency.WhenInProgress;
import io.micronaut.context.annotation.Requires;
import io.micronaut.http.MediaType;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Header;
import io.micronaut.http.annotation.Post;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** The operations of a node. Each answers the run of its body. */
final class Operations {

    private static final String LEASE = "3s";

    private Operations() {}

    /** Over HTTP: the client's key, each client's keys of its own. */
    @Controller("/pay")
    @Requires(property = CampaignNode.PROPERTY)
    static class Route {

        private final LedgerClient ledger;

        Route(LedgerClient ledger) {
            this.ledger = ledger;
        }

        @Post(consumes = MediaType.TEXT_PLAIN, produces = MediaType.TEXT_PLAIN)
        @ExecuteOn(TaskExecutors.BLOCKING)
        @IdempotentOperation(
                value = "campaign-pay",
                lease = LEASE,
                otherCallers = OtherCallers.ISOLATE,
                noEffectFor = LedgerClient.DeclinedException.class)
        String pay(
                @Body String payload,
                @NotFingerprinted @Header("X-Call") String call,
                @NotFingerprinted @Header("X-Key") String key)
                throws Exception {
            return slowly(at -> ledger.apply(key, payload, call, false, at));
        }
    }

    /** Called by jobs and listeners of the node. */
    @Singleton
    @Requires(property = CampaignNode.PROPERTY)
    static class Beans {

        private final LedgerClient ledger;

        Beans(LedgerClient ledger) {
            this.ledger = ledger;
        }

        @IdempotentOperation(
                value = "campaign-job",
                key = "key",
                lease = LEASE,
                whenInProgress = WhenInProgress.WAIT,
                waitTimeout = "2s",
                noEffectFor = LedgerClient.DeclinedException.class)
        String job(String key, String payload, @NotFingerprinted String call) throws Exception {
            return slowly(at -> ledger.apply(key, payload, call, false, at));
        }

        @IdempotentOperation(value = "campaign-retry", key = "key", lease = LEASE, onFailure = OnFailure.RELEASE)
        String retry(String key, String payload, @NotFingerprinted String call) throws Exception {
            if (ThreadLocalRandom.current().nextInt(4) == 0) {
                throw new IllegalStateException("failed before it did anything");
            }
            return slowly(at -> ledger.apply(key, payload, call, false, at));
        }

        @IdempotentOperation(
                value = "campaign-reconcile",
                key = "key",
                lease = LEASE,
                onAbandoned = OnAbandoned.RECONCILE)
        String reconcile(String key, String payload, @NotFingerprinted String call) throws Exception {
            return slowly(at -> ledger.apply(key, payload, call, true, at));
        }

        /** Absent is proof here, because the ledger accepts no lower fence from now on. */
        @Reconciles("campaign-reconcile")
        Reconciliation<String> find(String key, String payload, @NotFingerprinted String call) throws Exception {
            String run = ledger.find(key, IdempotencyContext.current().fence());
            return run.isEmpty() ? Reconciliation.absent() : Reconciliation.done(run);
        }

        @IdempotentOperation(
                value = "campaign-take-over",
                key = "key",
                lease = LEASE,
                onAbandoned = OnAbandoned.TAKE_OVER)
        String takeOver(String key, String payload, @NotFingerprinted String call) throws Exception {
            return slowly(at -> ledger.apply(key, payload, call, CampaignNode.checksFences(), at));
        }
    }

    private interface Step {
        String run(long atMs) throws IOException, InterruptedException;
    }

    /** Mostly at once, sometimes slowly, and rarely longer than the lease, so that it is renewed. */
    private static String slowly(Step step) throws IOException, InterruptedException {
        long at = System.currentTimeMillis(); // first: a process that is stopped while it rests has started its body
        int one = ThreadLocalRandom.current().nextInt(300);
        if (Boolean.getBoolean(CampaignNode.SLOW) && one < 60) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(2_000 + 50L * one));
        } else if (one < 30) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(one == 0 ? 5_000 : 50));
        }
        return step.run(at);
    }
}
