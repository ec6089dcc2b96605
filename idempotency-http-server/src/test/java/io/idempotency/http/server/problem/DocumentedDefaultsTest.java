package io.idempotency.http.server.problem;

import static org.assertj.core.api.Assertions.assertThat;

import io.micronaut.core.type.Argument;
import io.micronaut.json.JsonMapper;
import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What docs/http.md calls the defaults is what Micronaut wrote down of the configuration classes. */
class DocumentedDefaultsTest {

    private static final String START = "```yaml\nidempotency:               # the defaults\n";
    private static final String METADATA = "META-INF/spring-configuration-metadata.json";

    @Test
    void everyDefaultOfTheHttpGuideIsTheRealOne() throws IOException {
        Map<String, String> defaults = defaults();
        documented()
                .forEach((property, value) ->
                        assertThat(defaults.get(property)).as(property).isEqualToIgnoringCase(value));
    }

    @Test
    void everyHttpPropertyThatHasADefaultIsDocumentedWithIt() throws IOException {
        assertThat(documented().keySet())
                .containsAll(defaults().keySet().stream()
                        .filter(property -> property.startsWith("idempotency.http."))
                        .toList());
    }

    private static Map<String, String> documented() throws IOException {
        String document = Files.readString(Path.of("../docs/http.md"));
        int start = document.indexOf(START) + START.length();
        Map<String, String> documented = new LinkedHashMap<>();
        Deque<String> path = new ArrayDeque<>(List.of("idempotency"));
        for (String line :
                document.substring(start, document.indexOf("```", start)).split("\n")) {
            String entry = line.replaceFirst("\\s+#.*", "");
            while (path.size() > entry.indexOf(entry.strip()) / 2) {
                path.removeLast();
            }
            String[] parts = entry.strip().split(":\\s*", 2);
            path.addLast(parts[0]);
            if (!parts[1].isEmpty()) {
                documented.put(String.join(".", path), parts[1].replaceAll("[\\[\\]]", ""));
            }
        }
        return documented;
    }

    private static Map<String, String> defaults() throws IOException {
        Map<String, String> defaults = new HashMap<>();
        ClassLoader classes = DocumentedDefaultsTest.class.getClassLoader();
        for (URL metadata : Collections.list(classes.getResources(METADATA))) {
            try (InputStream in = metadata.openStream()) {
                Map<String, Object> content =
                        JsonMapper.createDefault().readValue(in, Argument.mapOf(String.class, Object.class));
                for (Object each : (List<?>) content.getOrDefault("properties", List.of())) {
                    Map<?, ?> property = (Map<?, ?>) each;
                    if (property.get("defaultValue") != null) {
                        defaults.put(
                                String.valueOf(property.get("name")),
                                property.get("defaultValue").toString());
                    }
                }
            }
        }
        return defaults;
    }
}
