package io.idempotency.http.server.route;

import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.runtime.store.Claim;
import io.idempotency.runtime.store.IdempotencyStore;
import io.idempotency.runtime.store.RecordId;
import io.micronaut.context.annotation.Property;
import io.micronaut.context.annotation.Requires;
import io.micronaut.http.MediaType;
import io.micronaut.http.annotation.Consumes;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Part;
import io.micronaut.http.annotation.Post;
import io.micronaut.http.multipart.CompletedFileUpload;
import io.micronaut.runtime.server.EmbeddedServer;
import io.micronaut.test.extensions.junit5.annotation.MicronautTest;
import jakarta.inject.Inject;
import jakarta.inject.Named;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.HexFormat;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Uploads to configured routes: clients choose another boundary for each attempt. */
@MicronautTest
@Property(name = "test.multipart", value = "true")
@Property(name = "idempotency.http.routes.upload.path", value = "/upload")
class MultipartRoutesTest {

    private static final String TYPE = "multipart/form-data; boundary=";
    private static final Duration DAY = Duration.ofDays(1);

    @Inject
    EmbeddedServer server;

    @Inject
    Uploads uploads;

    @Inject
    @Named("memory")
    IdempotencyStore store;

    private final String key = UUID.randomUUID().toString();

    @Controller("/upload")
    @Requires(property = "test.multipart")
    static class Uploads {
        final AtomicInteger bodies = new AtomicInteger();

        @Post
        @Consumes(MediaType.MULTIPART_FORM_DATA)
        String upload(@Part String title, @Part CompletedFileUpload file) throws IOException {
            return bodies.incrementAndGet() + " " + title + " " + file.getFilename() + " " + file.getBytes().length;
        }
    }

    @BeforeEach
    void reset() {
        uploads.bodies.set(0);
    }

    private static String form(String boundary, String title, String file, String content) {
        return """
                --%1$s
                Content-Disposition: form-data; name="title"

                %2$s
                --%1$s
                Content-Disposition: form-data; name="file"; filename="%3$s"
                Content-Type: application/octet-stream

                %4$s
                --%1$s--
                """.formatted(boundary, title, file, content).replace("\n", "\r\n");
    }

    /** Not by Micronaut's client, which chooses the boundary itself. */
    private HttpResponse<String> send(String type, String body) throws IOException, InterruptedException {
        return HttpClient.newHttpClient()
                .send(
                        HttpRequest.newBuilder(server.getURI().resolve("/upload"))
                                .header("Content-Type", type)
                                .header("Idempotency-Key", key)
                                .POST(BodyPublishers.ofByteArray(body.getBytes(StandardCharsets.ISO_8859_1)))
                                .build(),
                        BodyHandlers.ofString());
    }

    private static String header(HttpResponse<?> response, String name) {
        return response.headers().firstValue(name).orElse("");
    }

    @ParameterizedTest
    @ValueSource(strings = {"zwei", "\"zwei\"", "zwei ", "\"a long one: with (all)/+=?'\""})
    void areRepeatedUnderAnotherBoundary(String boundary) throws Exception {
        String content = "\u00ff\u0000 binary --zw".repeat(20_000);
        HttpResponse<String> first = send(TYPE + "eins", form("eins", "Invoice", "a.pdf", content));
        HttpResponse<String> again =
                send(TYPE + boundary, form(boundary.strip().replace("\"", ""), "Invoice", "a.pdf", content));
        assertThat(first.body()).isEqualTo("1 Invoice a.pdf " + content.length());
        assertThat(again.body()).isEqualTo(first.body());
        assertThat(header(again, "Idempotent-Replayed")).isEqualTo("true");
        assertThat(uploads.bodies).hasValue(1);
    }

    @ParameterizedTest
    @CsvSource({"Invoices,a.pdf,content", "Invoice,b.pdf,content", "Invoice,a.pdf,Content"})
    void areRefusedWithAnotherPart(String title, String file, String content) throws Exception {
        send(TYPE + "eins", form("eins", "Invoice", "a.pdf", "content"));
        for (String boundary : new String[] {"eins", "zwei"}) {
            assertThat(send(TYPE + boundary, form(boundary, title, file, content))
                            .statusCode())
                    .isEqualTo(422);
        }
        assertThat(uploads.bodies).hasValue(1);
    }

    @Test
    void areComparedByTheirBytesWithARecordOfTheFormerVersion() throws Exception {
        String sent = form("eins", "Invoice", "a.pdf", "content");
        RecordId id = RecordId.of("upload", null, null, key);
        store.claim(new Claim(id, "upload", "h1:" + formerly(sent), "owner", DAY, DAY, false));
        assertThat(header(send(TYPE + "eins", sent), "Idempotency-Status")).contains("code=in-progress");
        assertThat(header(send(TYPE + "zwei", form("zwei", "Invoice", "a.pdf", "content")), "Idempotency-Status"))
                .contains("code=key-reused");
    }

    private static String formerly(String body) throws Exception {
        MessageDigest sha256 = MessageDigest.getInstance("SHA-256");
        try (DataOutputStream out =
                new DataOutputStream(new DigestOutputStream(OutputStream.nullOutputStream(), sha256))) {
            for (String part : new String[] {"POST", "/upload", "", TYPE + "eins", body}) {
                out.writeInt(part.length());
                out.write(part.getBytes(StandardCharsets.ISO_8859_1));
            }
        }
        return HexFormat.of().formatHex(sha256.digest());
    }
}
