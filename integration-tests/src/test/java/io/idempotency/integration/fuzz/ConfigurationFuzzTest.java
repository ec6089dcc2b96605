package io.idempotency.integration.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.IdempotencyException;
import io.idempotency.test.fuzz.Fuzz;
import io.idempotency.test.fuzz.Input;
import io.micronaut.context.ApplicationContext;
import io.micronaut.context.exceptions.ConfigurationException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Any value of any property of the reference: the application starts and its calls end, or the start says which property is wrong. */
@Tag("thorough")
class ConfigurationFuzzTest {

    private static final Pattern NAME = Pattern.compile("`(idempotency\\.[a-z0-9.*-]+)`");

    private static final List<String> HARD = List.of(
            "PT9223372036854775807S",
            "PT2562047788015H",
            "PT-1S",
            "0s",
            "1ns",
            "2147483647d",
            "-1",
            "0",
            "2147483647",
            "2147483648",
            "9223372036854775807",
            "1e9",
            "true",
            "",
            ",",
            "a,,b",
            "..",
            "/",
            "*");

    @Test
    void anApplicationStartsOrNamesTheProperty() throws IOException {
        List<String> names = names();
        Fuzz.inputs(25, input -> {
            String name = input.one(names).replace("*", "fuzz-bean");
            startedOrRefused(name, value(input));
        });
    }

    private static String value(Input input) {
        return input.oneIn(3) ? input.text(30).replace("${", "") : input.one(HARD);
    }

    private static void startedOrRefused(String name, String value) {
        Map<String, Object> properties =
                new HashMap<>(Map.of(Target.PROPERTY, true, "redis.enabled", false, "idempotency.store", "memory"));
        properties.put("idempotency.shutdown-timeout", "0s");
        properties.put(name, value);
        try (ApplicationContext application = ApplicationContext.run(properties, "test")) {
            try {
                application.getBean(Target.Bean.class).pay("k", "10");
            } catch (IdempotencyException refused) {
                assertThat(refused.executed()).isNotNull();
            }
        } catch (RuntimeException e) {
            assertThat(Stream.iterate((Throwable) e, cause -> cause != null, Throwable::getCause)
                            .filter(cause -> cause instanceof ConfigurationException)
                            .map(cause -> String.valueOf(cause.getMessage())))
                    .as("%s=%s: %s", name, value, e)
                    .anyMatch(message -> message.contains("idempotency."));
        }
    }

    private static List<String> names() throws IOException {
        return NAME.matcher(Files.readString(Path.of("../docs/configuration.md")))
                .results()
                .map(match -> match.group(1))
                .distinct()
                .toList();
    }
}
