package io.idempotency.http.server.management;

import io.micronaut.context.annotation.Requires;
import io.micronaut.http.HttpHeaders;
import io.micronaut.http.HttpResponse;
import io.micronaut.management.endpoint.annotation.Endpoint;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.Objects;

/** The operator's page: three files, the same for every caller. What the page shows and does goes through the endpoint. */
@Singleton
@Requires(classes = Endpoint.class)
final class OperatorPage {

    private static final String PAGE = "ui";

    private static final Map<String, String> TYPES =
            Map.of(PAGE, "text/html", "ui.js", "text/javascript", "ui.css", "text/css");

    /** No script, style or address other than this server's, no frame around the page, and no form that leaves it. */
    private static final String POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self';"
            + " img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

    private final boolean served;

    OperatorPage(ManagementConfiguration configuration) {
        this.served = configuration.isUi();
    }

    /** Whether a name that stands in the place of an id is a file of the page. */
    static boolean hasFile(String name) {
        return TYPES.containsKey(name);
    }

    boolean isServed() {
        return served;
    }

    HttpResponse<?> file(String name) {
        return HttpResponse.ok(content(PAGE.equals(name) ? "ui.html" : name))
                .header(HttpHeaders.CONTENT_TYPE, TYPES.get(name) + ";charset=utf-8")
                .header(HttpHeaders.CACHE_CONTROL, "no-cache")
                .header("Content-Security-Policy", POLICY)
                .header("Referrer-Policy", "no-referrer")
                .header("X-Content-Type-Options", "nosniff");
    }

    private static byte[] content(String name) {
        try (InputStream file = OperatorPage.class.getResourceAsStream("/idempotency/ui/" + name)) {
            return Objects.requireNonNull(file, name).readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
