package io.idempotency.http.server.route;

import static io.idempotency.http.server.Wire.post;
import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.http.server.Wire;
import io.micronaut.context.annotation.Property;
import io.micronaut.context.annotation.Requires;
import io.micronaut.http.HttpHeaders;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.MutableHttpResponse;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Post;
import io.micronaut.http.client.HttpClient;
import io.micronaut.http.client.annotation.Client;
import io.micronaut.test.extensions.junit5.annotation.MicronautTest;
import jakarta.inject.Inject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** What docs/http.md calls standard is what the code does where nothing is configured. */
@MicronautTest
@Property(name = "test.standards", value = "true")
@Property(name = "idempotency.http.routes.standards.path", value = "/standards")
class DocumentedStandardsTest {

    private static final Set<String> KNOWN = Arrays.stream(HttpHeaders.STANDARD_HEADERS.toArray(String[]::new))
            .collect(Collectors.toCollection(() -> new TreeSet<>(String.CASE_INSENSITIVE_ORDER)));

    /** What the server or a client's library makes of each message itself. */
    private static final List<String> OF_THE_MESSAGE = List.of(
            "Content-Length",
            "Transfer-Encoding",
            "Connection",
            "Date",
            "Idempotent-Replayed",
            "Idempotency-Original",
            "Cache-Control");

    @Inject
    @Client("/")
    HttpClient client;

    @Controller("/standards")
    @Requires(property = "test.standards")
    static class StandardsController {

        @Post
        HttpResponse<String> answer() {
            MutableHttpResponse<String> response = HttpResponse.ok("{}");
            KNOWN.stream()
                    .filter(name -> OF_THE_MESSAGE.stream().noneMatch(name::equalsIgnoreCase))
                    .filter(name -> !name.equalsIgnoreCase("Content-Encoding"))
                    .forEach(name ->
                            response.header(name, name.equalsIgnoreCase("Content-Type") ? "application/json" : "x"));
            return response.header("Operation-Location", "x");
        }
    }

    private static String guide() throws IOException {
        return Files.readString(Path.of("../docs/http.md"));
    }

    private static String found(String regex) throws IOException {
        Matcher matcher = Pattern.compile(regex, Pattern.DOTALL).matcher(guide());
        assertThat(matcher.find()).as(regex).isTrue();
        return matcher.group(1);
    }

    @Test
    void theStandardHeadersAndStatusesAreTheRealOnes() throws IOException {
        Wire wire = new Wire(client);
        wire.send(post("/standards", "{}").header("Idempotency-Key", "1"));
        HttpResponse<byte[]> replay = wire.send(post("/standards", "{}").header("Idempotency-Key", "1"));
        Set<String> repeated = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
        repeated.addAll(replay.getHeaders().names());
        repeated.removeIf(name -> OF_THE_MESSAGE.stream().anyMatch(name::equalsIgnoreCase));
        repeated.add("Content-Encoding"); // a client that gets one reads the body by it

        assertThat(List.of(found("Standard are ([^(]+)").strip().split(",\\s*")))
                .containsExactlyInAnyOrderElementsOf(
                        repeated.stream().map(DocumentedStandardsTest::named).toList());
        assertThat(found("no-effect-status: \\[429\\] +# [^(]*\\(([^)]*)\\)"))
                .isEqualTo(listed(StatusRule.STANDARD.noEffect()));
        assertThat(found("unknown-status: \\[503\\] +# [^(]*\\(([^)]*)\\)"))
                .isEqualTo(listed(StatusRule.STANDARD.unknown()));
    }

    /** As it is usually written, whatever the wire has. */
    private static String named(String name) {
        return name.equalsIgnoreCase("ETag")
                ? "ETag"
                : Arrays.stream(name.split("-"))
                        .map(part -> Character.toUpperCase(part.charAt(0)) + part.substring(1))
                        .collect(Collectors.joining("-"));
    }

    private static String listed(Set<Integer> statuses) {
        return statuses.stream().sorted().map(String::valueOf).collect(Collectors.joining(", "));
    }
}
