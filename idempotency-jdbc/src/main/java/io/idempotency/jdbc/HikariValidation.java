package io.idempotency.jdbc;

import com.zaxxer.hikari.HikariConfig;
import io.micronaut.context.annotation.Requires;
import io.micronaut.context.event.BeanCreatedEvent;
import io.micronaut.context.event.BeanCreatedEventListener;
import jakarta.inject.Singleton;

/**
 * Lets the store's pool test a connection that was idle for no longer than a caller waits. Hikari tests it on the caller's own
 * thread, for five seconds unless told otherwise, and looks at no other limit meanwhile.
 */
@Singleton
@Requires(classes = HikariConfig.class)
final class HikariValidation implements BeanCreatedEventListener<HikariConfig> {

    /** Hikari takes no less. */
    private static final long LEAST_MILLIS = 250;

    private final JdbcStoreConfiguration configuration;

    HikariValidation(JdbcStoreConfiguration configuration) {
        this.configuration = configuration;
    }

    @Override
    public HikariConfig onCreated(BeanCreatedEvent<HikariConfig> event) {
        HikariConfig pool = event.getBean();
        if (event.getBeanIdentifier().getName().equals(configuration.getDatasource())) {
            long limit =
                    Math.max(LEAST_MILLIS, configuration.getCommandTimeout().toMillis());
            pool.setValidationTimeout(Math.min(pool.getValidationTimeout(), limit));
        }
        return pool;
    }
}
