package io.idempotency.processor;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.idempotency.definition.FingerprintWriter;
import io.idempotency.processor.compile.Compilation;
import io.idempotency.processor.compile.Compiled;
import io.idempotency.processor.compile.Payments;
import io.idempotency.processor.compile.Written;
import io.micronaut.http.HttpRequest;
import io.micronaut.json.tree.JsonNode;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class FreeFormFingerprintTest {

    private static final String SKIP_OPTION = "micronaut.idempotency.notFingerprinted";

    /** Micronaut's processor turns its options into system properties. */
    @AfterEach
    void forgetTheOption() {
        System.clearProperty(SKIP_OPTION);
    }

    @Test
    void jsonTreesOfMicronautAreWrittenByValue() {
        Compiled payments = Payments.load("@IdempotentOperation void pay(io.micronaut.json.tree.JsonNode json) {}");
        Map<String, JsonNode> fields = new LinkedHashMap<>();
        fields.put("text", JsonNode.createStringNode("t"));
        fields.put("nothing", JsonNode.nullNode());
        fields.put("list", JsonNode.createArrayNode(List.of(JsonNode.createNumberNode(1), JsonNode.nullNode())));
        fields.put("flag", JsonNode.createBooleanNode(true));

        assertThat(payments.fingerprint(JsonNode.createObjectNode(fields)))
                .isEqualTo(Written.by(FreeFormFingerprintTest::json));
        assertThat(payments.fingerprint(JsonNode.createObjectNode(new TreeMap<>(fields))))
                .isEqualTo(Written.by(FreeFormFingerprintTest::json));
    }

    @Test
    void jsonTreesOfJacksonAreWrittenAlike() throws Exception {
        Compiled payments =
                Payments.load("@IdempotentOperation void pay(com.fasterxml.jackson.databind.JsonNode json) {}");

        assertThat(payments.fingerprint(new ObjectMapper()
                        .readTree("{\"text\":\"t\",\"nothing\":null,\"list\":[1.0,null],\"flag\":true}")))
                .isEqualTo(Written.by(FreeFormFingerprintTest::json));
    }

    @Test
    void aBinaryNumberCountsByItsBitsWhichNoJavaVersionSpellsDifferently() throws Exception {
        String type = "com.fasterxml.jackson.databind.JsonNode";
        Compiled payments = Payments.load("@IdempotentOperation void pay(" + type + " json) {}");

        assertThat(payments.fingerprint(new ObjectMapper().readTree("2e23"))).isEqualTo(Written.by(writer -> {
            writer.name("json");
            writer.decimal(new BigDecimal(2e23));
        }));
    }

    private static void json(FingerprintWriter writer) {
        writer.name("json");
        writer.begin();
        writer.name("flag");
        writer.bool(true);
        writer.name("list");
        writer.list(List.of(true, false), (present, to) -> {
            if (present) {
                to.decimal(BigDecimal.ONE);
            } else {
                to.nil();
            }
        });
        writer.name("text");
        writer.text("t");
        writer.end();
    }

    @Test
    void whatIsLeftInABufferIsWrittenAndStaysThere() {
        Compiled payments = Payments.load(
                "@IdempotentOperation void pay(ByteBuffer buffer) {}".replace("ByteBuffer b", "java.nio.ByteBuffer b"));
        ByteBuffer buffer = ByteBuffer.wrap(new byte[] {0, 1, 2}).position(1);

        assertThat(payments.fingerprint(buffer)).isEqualTo(Written.by(writer -> {
            writer.name("buffer");
            writer.bytes(new byte[] {1, 2});
        }));
        assertThat(buffer.position()).isEqualTo(1);
        assertThat(payments.fingerprint(buffer.asReadOnlyBuffer())).isEqualTo(payments.fingerprint(buffer));
    }

    @Test
    void ofARequestItsBodyCounts() {
        Compiled payments = Payments.load("""
                @IdempotentOperation(otherCallers = OtherCallers.ISOLATE)
                void pay(io.micronaut.http.HttpRequest<Order> request, io.micronaut.http.HttpHeaders headers) {}
                record Order(String id) {}
                """);
        Object order = payments.create("demo.Payments$Order", "o-1");

        assertThat(payments.fingerprint(HttpRequest.POST("/a", order).header("X-Trace", "1"), null))
                .isEqualTo(Written.by(writer -> {
                    writer.name("request");
                    writer.begin();
                    writer.name("id");
                    writer.text("o-1");
                    writer.end();
                }));
        assertThat(payments.fingerprint(HttpRequest.POST("/a", null), null)).isEmpty();
    }

    @Test
    void aRequestWithoutABodyTypeIsLeftOut() {
        Compiled payments = Payments.load("@IdempotentOperation(key = \"id\")"
                + " void pay(io.micronaut.http.HttpRequest<?> request, String id) {}");

        assertThat(payments.fingerprint(HttpRequest.POST("/a", "b"), "i")).isEqualTo(payments.fingerprint(null, "i"));
    }

    @Test
    void anApplicationNamesFurtherTypesToLeaveOut() {
        Compiled payments = Compilation.with(
                        List.of("-A" + SKIP_OPTION + "=demo.Payments$Trace, java.lang.Runnable"), Payments.with("""
                                @IdempotentOperation void pay(Order order, Runnable callback) {}
                                record Order(String id, Trace trace, List<Trace[]> all) {}
                                record Trace(Object anything) {}
                                """))
                .load();
        Object trace = payments.create("demo.Payments$Trace", 1);

        assertThat(payments.fingerprint(payments.create("demo.Payments$Order", "o", trace, List.of()), null))
                .isEqualTo(payments.fingerprint(payments.create("demo.Payments$Order", "o", null, null), null));
    }
}
