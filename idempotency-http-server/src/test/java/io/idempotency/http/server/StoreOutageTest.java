package io.idempotency.http.server;

import static io.idempotency.http.server.Wire.post;
import static io.idempotency.http.server.Wire.text;
import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.runtime.memory.MemoryIdempotencyStore;
import io.idempotency.test.FaultyStore;
import io.micronaut.context.annotation.Factory;
import io.micronaut.context.annotation.Property;
import io.micronaut.context.annotation.Requires;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.client.HttpClient;
import io.micronaut.http.client.annotation.Client;
import io.micronaut.test.extensions.junit5.annotation.MicronautTest;
import jakarta.inject.Inject;
import jakarta.inject.Named;
import jakarta.inject.Singleton;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests while the store is away. */
@MicronautTest
@Property(name = "test.shop", value = "true")
@Property(name = "test.plain", value = "true")
@Property(name = "test.down", value = "true")
@Property(name = "idempotency.shutdown-timeout", value = "0s")
@Property(name = "idempotency.settle-budget", value = "0s")
@Property(name = "idempotency.store", value = "down")
@Property(name = "idempotency.http.routes.plain-route.path", value = "/plain/**")
class StoreOutageTest {

    @Inject
    @Client("/")
    HttpClient client;

    @Inject
    ShopController shop;

    @Inject
    FaultyStore store;

    @BeforeEach
    void takeAway() {
        store.refuse(FaultyStore.Call.values());
        shop.bodies.set(0);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/shop/pojo", "/shop/reactive", "/plain/pojo"})
    void nothingRunsAndTheClientIsToldToComeBackWithTheSameKey(String path) {
        String body = "{\"name\":\"book\",\"item\":\"book\",\"price\":12.50}";
        HttpResponse<byte[]> response = new Wire(client).send(post(path, body).header("Idempotency-Key", "k"));
        assertThat(response.code()).isEqualTo(503);
        assertThat(response.header("Retry-After")).isNotNull();
        assertThat(text(response))
                .contains("\"code\":\"store-unavailable\"", "\"executed\":\"no\"", "\"retry\":\"same-key\"");
        assertThat(shop.bodies).hasValue(0);
    }

    /** The key of a failure that cannot be recorded stays held, and its lease ends in doubt. */
    @ParameterizedTest
    @CsvSource({
        "/shop/pojo, 0, executed;degraded",
        "/shop/cut-off, 0, executed;key=in-doubt",
        "/shop/sold-out, 0, executed;key=in-doubt",
        "/shop/returned/429, 0, executed;key=in-doubt",
        "/shop/returned/409, 0, executed;key=in-doubt",
        "/plain/response, 0, executed;degraded",
        "/plain/cut-off, 0, executed;key=in-doubt",
        "/plain/returned/429, 0, executed;key=in-doubt",
        "/plain/returned/409, 0, executed;key=in-doubt",
        "/plain/pojo, 9, executed;key=in-doubt"
    })
    void onlyABodyThatSucceededIsSaidToBeDoneWhenTheStoreGoesAwayMeanwhile(String path, int cutOff, String status) {
        store.mend();
        store.refuse(
                FaultyStore.Call.COMPLETE, FaultyStore.Call.FAIL, FaultyStore.Call.RELEASE, FaultyStore.Call.DOUBT);
        String body = "{\"name\":\"book\",\"item\":\"book\",\"price\":12.50}";
        String sent = body.substring(0, body.length() - cutOff);
        HttpResponse<byte[]> response = new Wire(client).send(post(path, sent).header("Idempotency-Key", path));
        assertThat(response.header("Idempotency-Status")).isEqualTo(status);
    }

    /** A store that nobody can reach. */
    @Factory
    @Requires(property = "test.down")
    static class Stores {

        @Singleton
        @Named("down")
        FaultyStore down() {
            return new FaultyStore(new MemoryIdempotencyStore());
        }
    }
}
