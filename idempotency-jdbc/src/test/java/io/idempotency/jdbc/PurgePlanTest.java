package io.idempotency.jdbc;

import static io.idempotency.jdbc.Calls.store;
import static org.assertj.core.api.Assertions.assertThat;

import io.micronaut.context.ApplicationContext;
import org.junit.jupiter.api.Test;

/** A purge that finds nothing must not read through millions of records that live. */
class PurgePlanTest {

    @Test
    void theIndexEndsTheSearchForExpiredRecords() {
        Place place = Place.postgres();
        try (ApplicationContext application = place.application()) {
            store(application);
        }
        place.run("INSERT INTO " + place.table() + " (id, operation, fingerprint, state, owner, fence, attempt,"
                + " claimed_at_ms, lease_until_ms, expires_at_ms, format_version)"
                + " SELECT lpad(n::text, 64, '0'), 'charge', 'fingerprint', 'IN_PROGRESS', 'owner', n, 1, n, n,"
                + " 9000000000000 + n, 1 FROM generate_series(1, 20000) n");
        place.run("ANALYZE " + place.table());
        String purge = Statements.of(new PostgresDialect(), new TableName(place.table()), true)
                .purge()
                .text();
        assertThat(place.ask("EXPLAIN (FORMAT JSON) " + purge.replace("?", "1000")))
                .contains("\"Index Cond\": \"(expires_at_ms <= ");
    }
}
