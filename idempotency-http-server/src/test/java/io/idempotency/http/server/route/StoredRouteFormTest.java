package io.idempotency.http.server.route;

import static io.idempotency.http.server.Wire.post;
import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.http.server.Wire;
import io.idempotency.runtime.store.IdempotencyStore;
import io.idempotency.runtime.store.RecordState;
import io.micronaut.context.annotation.Property;
import io.micronaut.http.client.HttpClient;
import io.micronaut.http.client.annotation.Client;
import io.micronaut.test.extensions.junit5.annotation.MicronautTest;
import jakarta.inject.Inject;
import jakarta.inject.Named;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The fingerprint of a request as it is stored, computed by another program from the description. */
@MicronautTest
@Property(name = "test.plain", value = "true")
@Property(name = "idempotency.http.routes.plain-route.path", value = "/plain/**")
class StoredRouteFormTest {

    @Inject
    @Client("/plain")
    HttpClient client;

    @Inject
    @Named("memory")
    IdempotencyStore store;

    @Test
    void aRequestIsRecordedAsItWasInTheFirstVersion() {
        new Wire(client)
                .send(post("/pojo?a=1", "{\"item\":\"book\",\"price\":12.50}").header("Idempotency-Key", "k"));
        assertThat(store.list(RecordState.COMPLETED, Duration.ZERO, 10))
                .singleElement()
                .satisfies(record -> assertThat(record.fingerprint())
                        .isEqualTo("h1:33730bee083510cd9ddb9ebf8fdff942d55390caa2b94b8dfc735c7fa243d5a6"));
    }
}
