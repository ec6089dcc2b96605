package io.idempotency.integration.killed;

import io.idempotency.IdempotentOperation;
import io.idempotency.NotFingerprinted;
import io.idempotency.OnAbandoned;
import io.idempotency.OnFailure;
import io.idempotency.WhenInProgress;
import io.micronaut.context.annotation.Requires;
import io.micronaut.transaction.TransactionDefinition;
import io.micronaut.transaction.TransactionOperations;
import jakarta.inject.Named;
import jakarta.inject.Singleton;
import java.sql.Connection;
import java.util.concurrent.ThreadLocalRandom;

/** Payments whose processes die. Each answers the run of its body. */
@Singleton
@Requires(property = KilledNode.PROPERTY)
class KilledPayments {

    private final Effects effects;
    private final TransactionOperations<Connection> transactions;

    KilledPayments(Effects effects, @Named("default") TransactionOperations<Connection> transactions) {
        this.effects = effects;
        this.transactions = transactions;
    }

    String pay(Kind kind, String key, String call) {
        return switch (kind) {
            case PAY -> pay(key, call);
            case BOOK -> book(key, call);
            case RETRY -> retry(key, call);
            case TAKE_OVER -> takeOver(key, call);
        };
    }

    @IdempotentOperation(
            value = "killed-pay",
            key = "key",
            lease = "3s",
            whenInProgress = WhenInProgress.WAIT,
            waitTimeout = "2s")
    String pay(String key, @NotFingerprinted String call) {
        if (key.endsWith("7")) {
            throw new IllegalStateException("declined");
        }
        String run = paid(key, call);
        if (key.endsWith("3")) {
            throw new IllegalStateException("declined although paid");
        }
        return run;
    }

    @IdempotentOperation(value = "killed-book", key = "key", lease = "3s", transactional = true)
    String book(String key, @NotFingerprinted String call) {
        Effect effect = Effects.now(key, call);
        transactions.execute(TransactionDefinition.DEFAULT, status -> {
            Effects.write(status.getConnection(), effect);
            return null;
        });
        takesLongNowAndThen();
        return effect.run();
    }

    @IdempotentOperation(value = "killed-retry", key = "key", lease = "3s", onFailure = OnFailure.RELEASE)
    String retry(String key, @NotFingerprinted String call) {
        if (ThreadLocalRandom.current().nextInt(3) == 0) {
            throw new IllegalStateException("again");
        }
        return paid(key, call);
    }

    @IdempotentOperation(value = "killed-take-over", key = "key", lease = "3s", onAbandoned = OnAbandoned.TAKE_OVER)
    String takeOver(String key, @NotFingerprinted String call) {
        return paid(key, call);
    }

    private String paid(String key, String call) {
        Effect effect = Effects.now(key, call);
        takesLongNowAndThen();
        effects.write(effect);
        return effect.run();
    }

    /** Longer than its lease, so that it is renewed. */
    private static void takesLongNowAndThen() {
        int one = ThreadLocalRandom.current().nextInt(300);
        if (one < 30) {
            Effects.pause(one == 0 ? 5_000 : 50);
        }
    }
}
