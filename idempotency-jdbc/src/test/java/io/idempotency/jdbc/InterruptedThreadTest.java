package io.idempotency.jdbc;

import static io.idempotency.jdbc.Calls.RESULT;
import static io.idempotency.jdbc.Calls.RETENTION;
import static io.idempotency.jdbc.Calls.claim;
import static io.idempotency.jdbc.Calls.get;
import static io.idempotency.jdbc.Calls.own;
import static io.idempotency.jdbc.Calls.store;
import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.runtime.store.IdempotencyStore;
import io.idempotency.runtime.store.Ownership;
import io.idempotency.runtime.store.Settled;
import io.micronaut.context.ApplicationContext;
import io.micronaut.inject.qualifiers.Qualifiers;
import io.micronaut.scheduling.TaskExecutors;
import java.util.concurrent.ExecutorService;
import org.junit.jupiter.api.Test;

/** Whoever is to end still records what its body did. Where the JDK has virtual threads, their socket is closed when they are interrupted. */
class InterruptedThreadTest {

    private record Told(Settled settled, boolean stillInterrupted) {}

    @Test
    void outcomeIsRecordedAtOnceOnAThreadThatWasInterrupted() throws Exception {
        try (ApplicationContext application = Place.postgres().application()) {
            IdempotencyStore store = store(application);
            Ownership owner = own(store, claim("key"));
            Told told = application
                    .getBean(ExecutorService.class, Qualifiers.byName(TaskExecutors.BLOCKING))
                    .submit(() -> {
                        Thread.currentThread().interrupt();
                        Settled settled = get(store.complete(owner, RESULT, RETENTION));
                        return new Told(settled, Thread.interrupted());
                    })
                    .get();
            assertThat(told).isEqualTo(new Told(new Settled.Applied(), true));
        }
    }
}
