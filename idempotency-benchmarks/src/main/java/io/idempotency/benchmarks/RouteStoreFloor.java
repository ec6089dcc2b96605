package io.idempotency.benchmarks;

import io.idempotency.benchmarks.RouteController.Answer;
import io.idempotency.benchmarks.RouteController.Ask;
import io.micronaut.context.ApplicationContext;
import io.micronaut.context.annotation.Property;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Header;
import io.micronaut.http.annotation.Post;
import jakarta.annotation.PreDestroy;
import java.sql.SQLException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * A route beside a store: what the plain one does, and what the least that keeps the promises sends to that store, bare. Bodies and
 * results are not digested and not decoded.
 */
@Controller("/store-floor")
final class RouteStoreFloor {

    private final @Nullable BareCommands redis;
    private final Turns.@Nullable Side store;
    private final RouteController plain;
    private final Set<String> known = ConcurrentHashMap.newKeySet();

    RouteStoreFloor(
            RouteController plain,
            ApplicationContext application,
            @Nullable @Property(name = "redis.uri") String redis,
            @Nullable @Property(name = "datasources.default.url") String database)
            throws SQLException {
        this.plain = plain;
        this.redis = redis == null ? null : new BareCommands(redis);
        if (this.redis != null) {
            store = this.redis.safe();
        } else if (database != null) {
            SafeStatements statements = database.startsWith("jdbc:h2:") ? SafeStatements.H2 : SafeStatements.POSTGRESQL;
            store = statements.on(JdbcPart.pool(application));
        } else {
            store = null;
        }
    }

    @Post("/first")
    Answer first(@Header("Idempotency-Key") String key, @Body Ask ask) throws Exception {
        call(key, true);
        return plain.plain(ask);
    }

    @Post("/replay")
    Answer replay(@Header("Idempotency-Key") String key, @Body Ask ask) throws Exception {
        call(key, known.add(key));
        return plain.plain(ask);
    }

    private void call(String key, boolean first) throws Exception {
        if (store == null) {
            throw new IllegalStateException("The server of this floor has no store");
        }
        store.call(key, first);
    }

    @PreDestroy
    void stop() {
        if (redis != null) {
            redis.close();
        }
    }
}
