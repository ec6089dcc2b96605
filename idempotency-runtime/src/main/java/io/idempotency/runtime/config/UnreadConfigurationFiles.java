package io.idempotency.runtime.config;

import io.micronaut.context.env.Environment;
import io.micronaut.context.exceptions.ConfigurationException;
import io.micronaut.core.util.Toggleable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Refuses configuration files that set properties of this library but are not read. Micronaut silently skips YAML where
 * SnakeYAML is missing: the store, a lease or a retention in the file would be the default.
 */
final class UnreadConfigurationFiles {

    private static final String YAML = "org.yaml:snakeyaml";
    private static final Map<String, String> READERS =
            Map.of("yml", YAML, "yaml", YAML, "toml", "io.micronaut.toml:micronaut-toml");

    /** Matches at the start of a line, to find the root of YAML or TOML and not, for instance, a logger's name. */
    private static final Pattern OURS =
            Pattern.compile("^\\[?[\"']?" + IdempotencyConfiguration.PREFIX + "[\"']?\\s*[.:=\\]]", Pattern.MULTILINE);

    private UnreadConfigurationFiles() {}

    static void refuse(Environment environment) {
        List<String> names = new ArrayList<>(List.of("application"));
        environment.getActiveNames().forEach(active -> names.add("application-" + active));
        READERS.forEach((extension, dependency) -> {
            if (!isRead(environment, extension)) {
                names.forEach(name -> refuse(environment, name + "." + extension, dependency));
            }
        });
    }

    private static boolean isRead(Environment environment, String extension) {
        return environment.getPropertySourceLoaders().stream()
                .filter(Toggleable::isEnabled)
                .anyMatch(loader -> loader.getExtensions().contains(extension));
    }

    private static void refuse(Environment environment, String file, String dependency) {
        Optional<InputStream> found = environment.getResourceAsStream("classpath:" + file);
        if (found.isEmpty()) {
            return;
        }
        try (InputStream in = found.get()) {
            if (OURS.matcher(new String(in.readAllBytes(), StandardCharsets.UTF_8))
                    .find()) {
                throw new ConfigurationException(
                        file + " sets properties of idempotency, and nothing reads it: Micronaut"
                                + " passes over a file of a form that it cannot read. The application does not start. Add the"
                                + " dependency " + dependency + " in scope runtime, or write the settings into"
                                + " application.properties.");
            }
        } catch (IOException e) {
            throw new ConfigurationException(file + " cannot be read: " + e.getMessage(), e);
        }
    }
}
