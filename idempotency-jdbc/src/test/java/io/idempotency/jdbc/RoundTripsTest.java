package io.idempotency.jdbc;

import static io.idempotency.jdbc.Calls.LEASE;
import static io.idempotency.jdbc.Calls.RESULT;
import static io.idempotency.jdbc.Calls.RETENTION;
import static io.idempotency.jdbc.Calls.claim;
import static io.idempotency.jdbc.Calls.get;
import static io.idempotency.jdbc.Calls.own;
import static io.idempotency.jdbc.Calls.store;
import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.runtime.store.ClaimResult;
import io.idempotency.runtime.store.IdempotencyStore;
import io.idempotency.runtime.store.Ownership;
import io.idempotency.test.servers.PostgresServer;
import io.micronaut.context.ApplicationContext;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What a call costs, as the server counts it. */
class RoundTripsTest {

    private static PostgresServer server;

    private Place place;

    @BeforeAll
    static void start() {
        server = PostgresServer.start("shared_preload_libraries=pg_stat_statements");
        Place.postgres(server).run("CREATE EXTENSION pg_stat_statements");
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Test
    void firstCallIsTwoStatementsAndItsReplayIsOne() {
        place = Place.postgres(server);
        try (ApplicationContext application = place.application()) {
            IdempotencyStore store = store(application);
            long before = statements();
            Ownership own = own(store, claim("key"));
            get(store.complete(own, RESULT, RETENTION));
            assertThat(statements() - before).isEqualTo(2);
            before = statements();
            assertThat(get(store.claim(claim("key")))).isInstanceOf(ClaimResult.Duplicate.class);
            assertThat(statements() - before).isEqualTo(1);
        }
    }

    @Test
    void everyOtherVerbIsOneStatement() {
        place = Place.postgres(server);
        try (ApplicationContext application = place.application()) {
            IdempotencyStore store = store(application);
            Ownership own = own(store, claim("key"));
            long before = statements();
            get(store.renew(own, LEASE, RETENTION));
            get(store.doubt(own, "unknown", RETENTION));
            get(store.find(own.id()));
            get(store.purge(10));
            assertThat(statements() - before).isEqualTo(4);
            Ownership other = own(store, claim("other"));
            before = statements();
            get(store.release(other));
            assertThat(statements() - before).isEqualTo(1);
        }
    }

    @Test
    void aReplayWritesNothing() {
        place = Place.postgres(server);
        try (ApplicationContext application = place.application()) {
            IdempotencyStore store = store(application);
            get(store.complete(own(store, claim("key")), RESULT, RETENTION));
            String transaction = place.ask("SELECT pg_snapshot_xmax(pg_current_snapshot())::text");
            for (int i = 0; i < 20; i++) {
                assertThat(get(store.claim(claim("key")))).isInstanceOf(ClaimResult.Duplicate.class);
            }
            assertThat(place.ask("SELECT pg_snapshot_xmax(pg_current_snapshot())::text"))
                    .as("a statement that writes or locks a row takes a transaction id")
                    .isEqualTo(transaction);
        }
    }

    /** How many statements on this test's table the server has run. */
    private long statements() {
        return Long.parseLong(
                place.ask("SELECT coalesce(sum(calls), 0)::text FROM pg_stat_statements WHERE query LIKE '%"
                        + place.table() + "%' AND query NOT LIKE '%pg_stat_statements%'"));
    }
}
