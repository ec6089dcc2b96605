package io.idempotency.runtime.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.micronaut.context.ApplicationContext;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Neither SnakeYAML nor Micronaut's TOML is on the class path of these tests. */
class UnreadConfigurationFilesTest {

    @TempDir
    Path resources;

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "application.yml|'idempotency:\n  retention: 30d'|org.yaml:snakeyaml",
                "application.yml|'micronaut:\n  server:\n    port: 1\nidempotency.retention: 30d'|org.yaml:snakeyaml",
                "application.yaml|'\"idempotency\":\n  retention: 30d'|org.yaml:snakeyaml",
                "application-test.yml|'idempotency:\n  retention: 30d'|org.yaml:snakeyaml",
                "application.toml|'[idempotency]\nretention = \"30d\"'|io.micronaut.toml:micronaut-toml",
                "application.toml|'idempotency.retention = \"30d\"'|io.micronaut.toml:micronaut-toml",
            })
    void settingsOfThisLibraryThatNothingReadsStopTheStart(String file, String text, String dependency)
            throws IOException {
        Files.writeString(resources.resolve(file), text);

        assertThatThrownBy(() -> start().close())
                .hasStackTraceContaining(file + " sets properties of idempotency, and nothing reads it")
                .hasStackTraceContaining("Add the dependency " + dependency);
    }

    @Test
    void aFileThatSetsNothingOfThisLibraryIsNotItsBusiness() throws IOException {
        Files.writeString(resources.resolve("application.yml"), "logger:\n  levels:\n    idempotency: DEBUG\n");
        Files.writeString(resources.resolve("application-other.yml"), "idempotency:\n  retention: 30d\n");
        try (ApplicationContext context = start()) {
            assertThat(context.isRunning()).isTrue();
        }
    }

    private ApplicationContext start() throws IOException {
        URL[] more = {resources.toUri().toURL()};
        return ApplicationContext.builder(new URLClassLoader(more, getClass().getClassLoader()), "test")
                .start();
    }
}
