package io.idempotency.http.server.management;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.micronaut.context.annotation.Property;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.client.HttpClient;
import io.micronaut.http.client.annotation.Client;
import io.micronaut.test.extensions.junit5.annotation.MicronautTest;
import jakarta.inject.Inject;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Whoever may settle records may make a payment unpaid: nobody may unless the application says who. */
@MicronautTest
@Property(name = "idempotency.store", value = "memory")
@Property(name = "micronaut.security.enabled", value = "false")
class SensitiveEndpointTest {

    @Inject
    @Client("/")
    HttpClient http;

    @Test
    void theEndpointIsSensitiveUnlessConfiguredOtherwise() {
        assertThatThrownBy(() -> http.toBlocking().exchange("/idempotency"))
                .hasFieldOrPropertyWithValue("status", HttpStatus.UNAUTHORIZED);
        assertThatThrownBy(() -> http.toBlocking()
                        .exchange(HttpRequest.POST("/idempotency/find", Map.of("operation", "o", "key", "k"))))
                .hasFieldOrPropertyWithValue("status", HttpStatus.UNAUTHORIZED);
    }
}
