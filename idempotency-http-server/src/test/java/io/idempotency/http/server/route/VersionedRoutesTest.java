package io.idempotency.http.server.route;

import static io.idempotency.http.server.Wire.post;
import static io.idempotency.http.server.Wire.text;
import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.http.server.Wire;
import io.micronaut.context.annotation.Property;
import io.micronaut.context.annotation.Requires;
import io.micronaut.core.version.annotation.Version;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Post;
import io.micronaut.http.client.HttpClient;
import io.micronaut.http.client.annotation.Client;
import io.micronaut.test.extensions.junit5.annotation.MicronautTest;
import jakarta.inject.Inject;
import org.junit.jupiter.api.Test;

/** A configured route with versions of its API: the answer of one version is not the answer of another. */
@MicronautTest
@Property(name = "test.versions", value = "true")
@Property(name = "micronaut.router.versioning.enabled", value = "true")
@Property(name = "micronaut.router.versioning.default-version", value = "1")
@Property(name = "micronaut.router.versioning.header.enabled", value = "true")
@Property(name = "idempotency.http.routes.versioned.path", value = "/versioned")
class VersionedRoutesTest {

    @Inject
    @Client("/")
    HttpClient client;

    @Controller("/versioned")
    @Requires(property = "test.versions")
    static class VersionedController {

        @Post
        @Version("1")
        String one(@Body String body) {
            return "one";
        }

        @Post
        @Version("2")
        String two(@Body String body) {
            return "two";
        }
    }

    private HttpResponse<byte[]> send(String key, String version) {
        return new Wire(client)
                .send(post("/versioned", "\"a\"").header("Idempotency-Key", key).header("X-API-VERSION", version));
    }

    @Test
    void aKeyOfOneVersionIsRefusedByAnother() {
        assertThat(text(send("first", "1"))).isEqualTo("one");
        assertThat(send("first", "2").code()).isEqualTo(422);
        assertThat(send("first", "1").header("Idempotent-Replayed")).isEqualTo("true");
        assertThat(text(send("second", "2"))).isEqualTo("two");
    }
}
