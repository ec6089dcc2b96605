package io.idempotency.runtime.engine;

import io.idempotency.runtime.store.Claim;
import io.idempotency.runtime.store.ClaimResult;
import io.idempotency.runtime.store.ForwardingStore;
import io.idempotency.runtime.store.IdempotencyStore;
import io.idempotency.runtime.store.Ownership;
import io.idempotency.runtime.store.TransactionalStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Transactions of a memory store, one at a time: what one of them claimed is taken back when it is not committed. */
final class TransactionalMemory extends ForwardingStore implements TransactionalStore {

    private final IdempotencyStore memory;
    private final List<Ownership> claimed = new ArrayList<>();
    private boolean ownConnections = true;
    private @Nullable Exception commitFailure;
    private @Nullable Duration lockTimeout;

    TransactionalMemory(IdempotencyStore memory) {
        super(memory);
        this.memory = memory;
    }

    /** From now on the work is done, and nobody learns whether it was committed. */
    void failsToCommit(Exception failure) {
        commitFailure = failure;
    }

    /** From now on the store has the connections of its callers only. */
    void sharesConnections() {
        ownConnections = false;
    }

    /** What the transaction has claimed so far stays. */
    void commit() {
        claimed.clear();
    }

    /** Of the last transaction. */
    @Nullable
    Duration lockTimeout() {
        return lockTimeout;
    }

    @Override
    public Optional<TransactionalStore> transactional() {
        return Optional.of(this);
    }

    @Override
    public String dataSource() {
        return "default";
    }

    @Override
    public boolean hasOwnConnections() {
        return ownConnections;
    }

    @Override
    public <T> T inTransaction(Duration timeout, Work<T> work) throws Exception {
        lockTimeout = timeout;
        claimed.clear();
        T done;
        try {
            done = work.in(new View(memory));
        } catch (Throwable e) {
            claimed.forEach(memory::release);
            throw e;
        }
        if (commitFailure != null) {
            throw commitFailure;
        }
        return done;
    }

    private final class View extends ForwardingStore {
        View(IdempotencyStore memory) {
            super(memory);
        }

        @Override
        public ClaimResult claim(Claim claim) {
            ClaimResult result = super.claim(claim);
            if (result instanceof ClaimResult.Acquired acquired) {
                claimed.add(new Ownership(claim.id(), claim.owner(), acquired.fence()));
            }
            return result;
        }
    }
}
