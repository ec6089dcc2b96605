package io.idempotency.jdbc;

import io.idempotency.runtime.config.Stores;
import io.idempotency.runtime.store.IdempotencyStore;
import io.idempotency.runtime.store.RecordId;
import io.idempotency.test.IdempotencyStoreTck;
import io.micronaut.context.ApplicationContext;
import java.time.Instant;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.TestInstance;

/** The store contract, through an application whose JDBC store is in the given place. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class JdbcStoreTck extends IdempotencyStoreTck {

    private final Place place;
    private final String clock;
    private final ApplicationContext application;
    private final IdempotencyStore store;

    /**
     * Starts the application.
     *
     * @param place where
     * @param clock the database's time in milliseconds since the epoch, in its own words
     * @param properties of the application, by name and value
     */
    JdbcStoreTck(Place place, String clock, Object... properties) {
        this.place = place;
        this.clock = clock;
        Supplier<ApplicationContext> started = () -> place.application(
                properties.length > 0 ? properties : new Object[] {"datasources.default.maximum-pool-size", 16});
        this.application = MutatedStatements.wanted() ? MutatedStatements.shared(place, started) : started.get();
        boolean near = application
                .getProperty("idempotency.near-cache.enabled", Boolean.class)
                .orElse(false);
        this.store = near ? application.getBean(Stores.class).standard() : Calls.store(application);
    }

    @AfterAll
    void stop() {
        if (!MutatedStatements.wanted()) {
            application.close();
        }
    }

    @Override
    protected final IdempotencyStore store() {
        return store;
    }

    @Override
    protected final Instant storeTime() {
        return Instant.ofEpochMilli(Long.parseLong(place.ask("SELECT " + clock)));
    }

    @Override
    protected final void raiseFence(RecordId id, long fence) {
        place.run("UPDATE " + place.table() + " SET fence = " + fence + " WHERE id = '" + id.value() + "'");
    }

    @Override
    protected boolean tellsWaiters() {
        return place.url().startsWith("jdbc:postgresql");
    }

    @Override
    protected final void limitResults(int bytes) {
        place.limitResults(bytes);
    }
}
