package io.idempotency.runtime.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.micronaut.context.ApplicationContext;
import io.micronaut.core.convert.format.ReadableBytes;
import io.micronaut.core.type.Argument;
import io.micronaut.json.JsonMapper;
import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * {@code docs/configuration.md} is what the modules know: names and types as the check at start-up knows them, meanings and
 * defaults as they were compiled for editors. {@code mvn test -pl integration-tests -am -Ddocs.write} writes it anew.
 */
@Tag("any-jdk")
class ConfigurationReferenceTest {

    private static final Path DOCUMENT = Path.of("..", "docs", "configuration.md");
    private static final String METADATA = "META-INF/spring-configuration-metadata.json";
    private static final String HEAD = """
            # Configuration

            Every property of every module, written by `mvn test -pl integration-tests -am -Ddocs.write` from the
            metadata by which the application refuses what does not exist and what cannot be understood. A `*` stands for a name: of an operation, a route, a service or a refusal; what is set for one of them wins over what is set for all.
            A duration is written like `500ms`, `30s`, `15m`, `24h` or `30d`, a size like `10KB` or `1MB` or as a number of bytes; of several words the bold one is the default. As an environment variable a property is written in capitals, with `_` for every dot and dash.

            | property | default, or type | meaning |
            |---|---|---|
            """;

    private static Map<String, Map<?, ?>> described(ApplicationContext context) throws IOException {
        Map<String, Map<?, ?>> described = new TreeMap<>();
        for (URL url : Collections.list(
                ConfigurationReferenceTest.class.getClassLoader().getResources(METADATA))) {
            try (InputStream json = url.openStream()) {
                Map<?, ?> metadata = context.getBean(JsonMapper.class).readValue(json, Map.class);
                if (metadata.get("properties") instanceof Iterable<?> properties) {
                    properties.forEach(each ->
                            described.put((String) ((Map<?, ?>) each).get("name"), (Map<?, ?>) each));
                }
            }
        }
        return described;
    }

    private static String generated() throws IOException {
        try (ApplicationContext context = ApplicationContext.run(Map.of("idempotency.store", "memory"))) {
            Map<String, Map<?, ?>> described = described(context);
            Map<String, Argument<?>> known =
                    context.getBean(KnownProperties.class).all();
            Map<String, String> names = new TreeMap<>();
            known.keySet()
                    .forEach(name -> names.merge(
                            repeats(name, described) ? general(name) : name,
                            "`" + name + "`",
                            (one, other) -> one.length() < other.length() ? one + ", " + other : other + ", " + one));
            StringBuilder text = new StringBuilder(HEAD);
            names.forEach((name, all) -> text.append(row(all, known.get(name), described.get(name))));
            return text.toString();
        }
    }

    /** The property for all of what the last {@code *} of a name stands for, whether or not it exists. */
    private static String general(String name) {
        return name.replaceFirst("\\.\\w+\\.\\*(?!.*\\*)", "");
    }

    /** Whether it means for one operation or service what the property for all of them means. */
    private static boolean repeats(String name, Map<String, Map<?, ?>> described) {
        Map<?, ?> one = described.get(name);
        Map<?, ?> all = described.get(general(name));
        return name.contains("*")
                && all != null
                && meaning(one).equals(meaning(all))
                && (standard(one).isEmpty() || standard(one).equals(standard(all)));
    }

    private static String standard(Map<?, ?> described) {
        Object standard = described.get("defaultValue");
        return standard == null ? "" : "`" + standard + "`";
    }

    private static String meaning(Map<?, ?> described) {
        return sentence(String.valueOf(described.get("description"))
                .replaceAll("\\s+", " ")
                .replaceAll("\\{@code ([^}]*)}", "`$1`")
                .replace("|", "\\|"));
    }

    private static String row(String names, Argument<?> type, Map<?, ?> described) {
        return "| %s | %s | %s |\n".formatted(names, value(type, standard(described)), meaning(described));
    }

    private static String sentence(String text) {
        String first = Character.toUpperCase(text.charAt(0)) + text.substring(1);
        return first.endsWith(".") ? first : first + ".";
    }

    /** A default shows of which type a value is, but of one of several words. */
    private static String value(Argument<?> type, String standard) {
        if (standard.isEmpty()) {
            return text(type);
        }
        return type.getType().isEnum() ? text(type).replace(standard, "**" + standard + "**") : standard;
    }

    private static String text(Argument<?> type) {
        Class<?> raw = type.getType();
        if (Iterable.class.isAssignableFrom(raw)) {
            return "list: "
                    + type.getFirstTypeVariable()
                            .map(ConfigurationReferenceTest::text)
                            .orElse("text");
        } else if (raw.isEnum()) {
            return Arrays.stream(raw.getEnumConstants())
                    .map(constant -> "`" + constant + "`")
                    .collect(Collectors.joining(", "));
        } else if (raw == boolean.class || raw == Boolean.class) {
            return "boolean";
        } else if (raw == Duration.class) {
            return "duration";
        } else if (raw == String.class) {
            return "text";
        }
        return type.getAnnotationMetadata().hasAnnotation(ReadableBytes.class) ? "size" : "number";
    }

    @Test
    void theReferenceIsWhatTheModulesKnow() throws IOException {
        String generated = generated();
        if (System.getProperty("docs.write") != null) {
            Files.writeString(DOCUMENT, generated);
        }
        assertThat(DOCUMENT)
                .as("out of date: mvn test -pl integration-tests -am -Ddocs.write")
                .hasContent(generated);
    }

    @Test
    void everyPropertyIsInItWithItsMeaning() throws IOException {
        assertThat(generated().lines().filter(line -> line.startsWith("| `idempotency.")))
                .hasSizeGreaterThan(85)
                .anyMatch(row -> row.contains("`idempotency.lease`, `idempotency.operations.*.lease` | `30s`"))
                .noneMatch(row -> row.contains("{@") || row.contains("| Null"))
                .anyMatch(row -> row.contains("`idempotency.http.routes.*.path` | list: text"))
                .anyMatch(row -> row.contains("`idempotency.operations.*.max-result-size` | `262144`"))
                .anyMatch(row -> row.contains("`idempotency.jdbc.schema`") && row.contains("`CREATE`"));
    }
}
