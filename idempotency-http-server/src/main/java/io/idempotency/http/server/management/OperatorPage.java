package io.idempotency.http.server.management;

import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.core.annotation.Nullable;
import io.micronaut.core.bind.annotation.Bindable;
import io.micronaut.http.HttpHeaders;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.MediaType;
import io.micronaut.http.server.types.files.StreamedFile;
import java.io.InputStream;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** The operator's page: three files, the same for every caller. Its scripts call the endpoint. */
final class OperatorPage {

    private static final String PAGE = "ui";

    /** The media types of the files, by the names that they have in the place of a record's id. */
    static final Map<String, String> TYPES =
            Map.of(PAGE, "text/html", "ui.js", "text/javascript", "ui.css", "text/css");

    private static final String POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self';"
            + " img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

    private OperatorPage() {}

    static HttpResponse<?> file(String name) {
        String file = "/idempotency/ui/" + (PAGE.equals(name) ? "ui.html" : name);
        InputStream content = Objects.requireNonNull(OperatorPage.class.getResourceAsStream(file), file);
        return HttpResponse.ok(new StreamedFile(content, MediaType.of(TYPES.get(name))))
                .header(HttpHeaders.CONTENT_TYPE, TYPES.get(name) + ";charset=utf-8")
                .header(HttpHeaders.CACHE_CONTROL, "no-cache")
                .header("Content-Security-Policy", POLICY)
                .header("Referrer-Policy", "no-referrer")
                .header("X-Content-Type-Options", "nosniff");
    }

    /**
     * {@code idempotency.management.*}: who may use the endpoint {@code /idempotency}, and its page.
     *
     * @param roles the roles whose callers may use the endpoint, where Micronaut Security guards the application
     * @param ui whether the application serves the operator's page {@code /idempotency/ui}, to those who may use the endpoint
     */
    @ConfigurationProperties("idempotency.management")
    record Configuration(
            @Nullable List<String> roles,
            @Bindable(defaultValue = "false") boolean ui) {}
}
