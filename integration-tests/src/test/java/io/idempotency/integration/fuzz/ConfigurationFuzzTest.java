package io.idempotency.integration.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.api.FuzzedDataProvider;
import com.code_intelligence.jazzer.junit.FuzzTest;
import io.micronaut.context.ApplicationContext;
import io.micronaut.context.exceptions.ConfigurationException;
import io.micronaut.core.util.StringUtils;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Any value of any property of the reference: the application starts, or says which property is wrong. */
class ConfigurationFuzzTest {

    private static final Pattern NAME = Pattern.compile("`(idempotency\\.[a-z0-9.*-]+)`");
    private static final List<String> NAMES = names();

    @FuzzTest(maxDuration = "20s")
    void anApplicationStartsOrNamesTheProperty(FuzzedDataProvider data) {
        String name = data.pickValue(NAMES).replace("*", "some");
        String value = data.consumeRemainingAsString().replace("${", "");
        Map<String, Object> properties =
                new HashMap<>(Map.of(Target.PROPERTY, true, "redis.enabled", false, "idempotency.store", "memory"));
        properties.put(name, value);
        try (ApplicationContext application = ApplicationContext.run(properties, "test")) {
            assertThat(application.isRunning()).isTrue();
        } catch (RuntimeException e) {
            assertThat(Stream.iterate((Throwable) e, cause -> cause != null, Throwable::getCause)
                            .filter(cause -> cause instanceof ConfigurationException)
                            .map(cause -> StringUtils.isEmpty(cause.getMessage()) ? "" : cause.getMessage()))
                    .as("%s=%s: %s", name, value, e)
                    .anyMatch(message -> message.contains(name) || message.contains("idempotency."));
        }
    }

    private static List<String> names() {
        try {
            return NAME.matcher(Files.readString(Path.of("../docs/configuration.md")))
                    .results()
                    .map(MatchResult::group)
                    .map(name -> name.substring(1, name.length() - 1))
                    .distinct()
                    .toList();
        } catch (IOException e) {
            throw new ExceptionInInitializerError(e);
        }
    }
}
