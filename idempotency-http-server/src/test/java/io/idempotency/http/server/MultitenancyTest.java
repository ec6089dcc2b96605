package io.idempotency.http.server;

import static io.idempotency.http.server.Wire.post;
import static org.assertj.core.api.Assertions.assertThat;

import io.micronaut.context.annotation.Property;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.client.HttpClient;
import io.micronaut.http.client.annotation.Client;
import io.micronaut.test.extensions.junit5.annotation.MicronautTest;
import jakarta.inject.Inject;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** The tenants of Micronaut Multitenancy. */
@MicronautTest
@Property(name = "test.shop", value = "true")
@Property(name = "micronaut.multitenancy.tenantresolver.httpheader.enabled", value = "true")
@Property(name = "micronaut.multitenancy.tenantresolver.httpheader.header-name", value = "X-Tenant")
@Property(name = "micronaut.multitenancy.tenantresolver.cookie.enabled", value = "true")
class MultitenancyTest {

    @Inject
    @Client("/")
    HttpClient client;

    private final String key = UUID.randomUUID().toString();

    private HttpResponse<byte[]> send(String tenant) {
        return new Wire(client)
                .send(post("/shop/pojo", "{\"name\":\"book\",\"price\":12.50}")
                        .header("Idempotency-Key", key)
                        .header("X-Tenant", tenant));
    }

    @Test
    void aTenantsKeyIsItsOwn() {
        HttpResponse<byte[]> ones = send("one");
        assertThat(ones.code()).isEqualTo(201);
        HttpResponse<byte[]> twos = send("two");
        assertThat(twos.header("Idempotent-Replayed")).isNull();
        assertThat(twos.body()).isNotEqualTo(ones.body());
        assertThat(send("one").body()).isEqualTo(ones.body());
    }

    @Test
    void aCallWithoutATenantIsServedToo() {
        HttpResponse<byte[]> first = new Wire(client)
                .send(post("/shop/pojo", "{\"name\":\"book\",\"price\":12.50}").header("Idempotency-Key", key));
        assertThat(first.code()).isEqualTo(201);
    }
}
