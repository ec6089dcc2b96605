package io.idempotency.http.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.micronaut.context.annotation.Property;
import io.micronaut.runtime.server.EmbeddedServer;
import io.micronaut.test.extensions.junit5.annotation.MicronautTest;
import jakarta.inject.Inject;
import java.io.IOException;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Every kind of key, through a real server. */
@Tag("thorough")
@MicronautTest
@Property(name = "test.shop", value = "true")
@Property(name = "idempotency.key-format", value = "uuid")
@Property(name = "idempotency.operations.sell-pojo.key-format", value = "any")
@Property(name = "idempotency.operations.sell-response.key-format", value = "uuid4")
class KeysOnTheWireTest {

    private static final String ITEM = "{\"name\":\"book\",\"price\":12.50}";
    private static final String VERSION_4 = "8e03978e-40d5-43e8-bc93-6894a57f9324";
    private static final String VERSION_7 = "01890a5d-ac96-774b-bcce-b302099a8057";

    @Inject
    EmbeddedServer server;

    @Inject
    ShopController shop;

    private RawConnection connection;

    @BeforeEach
    void connect() throws IOException {
        shop.bodies.set(0);
        connection = new RawConnection(server.getPort());
    }

    @AfterEach
    void close() throws IOException {
        connection.close();
    }

    private RawConnection.Answer send(String path, String headers) throws IOException {
        RawConnection.Answer answer = connection.post(path, headers, ITEM);
        if (answer.closes()) {
            connection.close();
            connection = new RawConnection(server.getPort());
        }
        return answer;
    }

    private static String header(String value) {
        return "Idempotency-Key: " + value + "\r\n";
    }

    @ParameterizedTest
    @CsvSource({
        "/shop/text, order-1, 400, a UUID", // the format of all
        "/shop/text, " + VERSION_7 + ", 200, sold",
        "/shop/response, order-1, 400, version 4", // of one operation
        "/shop/response, " + VERSION_7 + ", 400, version 4",
        "/shop/response, " + VERSION_4 + ", 201, book",
        "/shop/pojo, order-1, 201, book",
    })
    void theServerSaysWhatAKeyLooksLikeForAllOperationsAndForOne(String path, String key, int status, String said)
            throws IOException {
        RawConnection.Answer answer = send(path, header(key));
        assertThat(answer.status()).isEqualTo(status);
        assertThat(answer.body()).contains(said);
        assertThat(shop.bodies).hasValue(status == 400 ? 0 : 1);
    }

    @Test
    void aUuidIsOneKeyInUpperAndLowerCaseAndInQuotes() throws IOException {
        String key = UUID.randomUUID().toString();
        send("/shop/text", header(key));
        assertThat(send("/shop/text", header(key.toUpperCase(java.util.Locale.ROOT)))
                        .head())
                .containsIgnoringCase("idempotent-replayed");
        assertThat(send("/shop/text", header('"' + key + '"')).head()).containsIgnoringCase("idempotent-replayed");
        assertThat(shop.bodies).hasValue(1);
    }

    @Test
    void twoHeaderLinesAreRefusedEvenWhenTheyAreEqual() throws IOException {
        RawConnection.Answer answer = send("/shop/pojo", header("a") + header("a"));
        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.body()).contains("key-invalid", "2 times");
        assertThat(shop.bodies).hasValue(0);
    }

    @Test
    void theHeadersNameIsReadInAnyCase() throws IOException {
        String key = UUID.randomUUID().toString();
        send("/shop/pojo", "idempotency-key: " + key + "\r\n");
        assertThat(send("/shop/pojo", "IDEMPOTENCY-KEY: " + key + "\r\n").head())
                .containsIgnoringCase("idempotent-replayed: true");
    }

    @Test
    void whateverIsSentIsRefusedOrUsedAndNeverAnErrorOfTheServer() throws IOException {
        Random random = new Random(11);
        int used = 0;
        String[] paths = {"/shop/pojo", "/shop/text", "/shop/response"};
        for (int i = 0; i < 4000; i++) {
            String path = paths[i % 3];
            StringBuilder headers = new StringBuilder();
            for (int lines = random.nextInt(8) == 0 ? 2 : 1; lines > 0; lines--) {
                headers.append(header(anything(random)));
            }
            RawConnection.Answer answer = send(path, headers.toString());
            assertThat(answer.status()).as(headers.toString()).isIn(200, 201, 400);
            used += answer.status() < 400 ? 1 : 0;
        }
        assertThat(used).isBetween(100, 3900);
        assertThat(shop.bodies.get()).isLessThanOrEqualTo(used);
    }

    /** Texts, nearly UUIDs and noise; a few are longer than any key may be. */
    private static String anything(Random random) {
        StringBuilder text = new StringBuilder();
        if (random.nextInt(3) == 0) {
            text.append(new UUID(random.nextLong(), random.nextLong()));
        }
        int length = random.nextInt(50) == 0 ? 250 + random.nextInt(12) : random.nextInt(12);
        for (int i = 0; i < length; i++) {
            int kind = random.nextInt(6);
            char c = kind == 0
                    ? "\"\\,; \t".charAt(random.nextInt(6))
                    : (char) (kind == 1 ? random.nextInt(256) : 'a' + random.nextInt(26));
            // an end of line would be another request
            text.append(c == '\r' || c == '\n' ? 'x' : c);
        }
        return random.nextInt(4) == 0 ? '"' + text.toString() + '"' : text.toString();
    }
}
