package io.idempotency.http.server.management;

import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.http.server.Wire;
import io.micronaut.context.annotation.Property;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.client.HttpClient;
import io.micronaut.http.client.annotation.Client;
import io.micronaut.test.extensions.junit5.annotation.MicronautTest;
import jakarta.inject.Inject;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The files of the operator's page, as a browser gets them. The demo's tests use it in one. */
@MicronautTest
@Property(name = "idempotency.store", value = "memory")
@Property(name = "endpoints.idempotency.sensitive", value = "false")
@Property(name = "micronaut.security.enabled", value = "false")
@Property(name = "idempotency.management.ui", value = "true")
class OperatorPageTest {

    @Inject
    @Client("/")
    HttpClient http;

    private HttpResponse<byte[]> get(String file) {
        return new Wire(http)
                .send(HttpRequest.GET("/idempotency/" + file)
                        .header("Accept", "text/html,application/xhtml+xml,*/*;q=0.8"));
    }

    @ParameterizedTest
    @CsvSource({"ui,text/html", "ui.js,text/javascript", "ui.css,text/css"})
    void aFileComesWithItsTypeAndAStrictPolicy(String file, String type) {
        HttpResponse<byte[]> response = get(file);
        assertThat(response.code()).isEqualTo(200);
        assertThat(response.header("Content-Type")).startsWith(type + ";").containsIgnoringCase("utf-8");
        assertThat(response.header("X-Content-Type-Options")).isEqualTo("nosniff");
        assertThat(response.header("Content-Security-Policy"))
                .contains("default-src 'none'", "script-src 'self'", "frame-ancestors 'none'", "form-action 'none'")
                .doesNotContain("unsafe", "http", "*");
    }

    @Test
    void thePageHasNoScriptOrStyleInItsTextAndTheScriptWritesNoMarkup() {
        assertThat(Wire.text(get("ui")))
                .doesNotContain("<style", " style=")
                .doesNotContainPattern("<script(?![^>]* src=)")
                .doesNotContainPattern(" on[a-z]+=");
        assertThat(Wire.text(get("ui.js")))
                .doesNotContain("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(");
    }
}
