package io.idempotency.integration.guide;

import static io.micronaut.context.env.PropertySource.PropertyConvention.ENVIRONMENT_VARIABLE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idempotency.IdempotentOperation;
import io.idempotency.test.guide.GuideBlock;
import io.micronaut.context.ApplicationContext;
import io.micronaut.context.annotation.Requires;
import io.micronaut.context.env.PropertySource;
import io.micronaut.context.env.yaml.YamlPropertySourceLoader;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Post;
import io.micronaut.runtime.server.EmbeddedServer;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Each block of configuration in the guide starts an application, which refuses what it does not know or understand. */
@Tag("any-jdk")
class GuideConfigurationTest {

    private static final String SECRET = "c2VjcmV0IHNlY3JldCBzZWNyZXQgc2VjcmV0IHNlY3I=";

    /** What an application has beside what a page shows: weaker than every block, so that a block decides. */
    private static final Map<String, Object> SURROUNDINGS = Map.of(
            "test.guide",
            true,
            "micronaut.server.port",
            -1,
            "idempotency.store",
            "memory",
            "datasources.default.url",
            "jdbc:h2:file:./target/guide/keys");

    /** The variables that the pages name. */
    private static final Map<String, Object> VARIABLES = Map.of(
            "IDENTITY_SECRET",
            SECRET,
            "FINGERPRINT_SECRET",
            SECRET + "1",
            "FORMER_FINGERPRINT_SECRET",
            SECRET + "2",
            "OUTCOME_KEY",
            SECRET,
            "FORMER_OUTCOME_KEY",
            "Zm9ybWVyIGZvcm1lciBmb3JtZXIgZm9ybWVyIGZvcm0=");

    /** The route that the blocks are about. */
    @Controller
    @Requires(property = "test.guide")
    static class Payments {

        @Post("/payments")
        @IdempotentOperation("charge-payment")
        String charge() {
            return "charged";
        }
    }

    static List<GuideBlock> blocks() {
        return GuideBlock.all("yaml");
    }

    /** Blocks that validate it find the table there. */
    @BeforeAll
    static void makeTheTable() throws IOException {
        start("idempotency: { store: jdbc, jdbc: { schema: create } }");
    }

    private static void start(String yaml) throws IOException {
        Map<String, Object> block = new YamlPropertySourceLoader()
                .read("guide", new ByteArrayInputStream(yaml.getBytes(StandardCharsets.UTF_8)));
        assertThat(block).isNotEmpty();
        try (ApplicationContext context = ApplicationContext.builder()
                .propertySources(
                        PropertySource.of("surroundings", SURROUNDINGS, -100),
                        PropertySource.of("variables", VARIABLES, ENVIRONMENT_VARIABLE),
                        PropertySource.of("block", block, 100))
                .start()) {
            context.getBean(EmbeddedServer.class).start();
        }
    }

    @ParameterizedTest
    @MethodSource("blocks")
    void anApplicationStartsWithIt(GuideBlock block) throws IOException {
        start(block.code());
    }

    @ParameterizedTest
    @MethodSource("blocks")
    void anApplicationRefusesItWithASlip(GuideBlock block) {
        String slip = block.code().replaceFirst("(?s)(.*\\n\\s+|\\.)([a-z-]+):", "$1$2x:");
        assertThat(slip).isNotEqualTo(block.code());
        assertThatThrownBy(() -> start(slip)).hasStackTraceContaining("there is no such property");
    }
}
