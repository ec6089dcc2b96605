package io.idempotency.runtime.config;

import io.idempotency.OnAbandoned;
import io.idempotency.OnFailure;
import io.idempotency.OnStoreFailure;
import io.idempotency.OtherCallers;
import io.idempotency.WhenInProgress;
import io.idempotency.runtime.KeyFormat;
import io.micronaut.context.env.Environment;
import io.micronaut.context.exceptions.ConfigurationException;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Refuses values that mean nothing. Micronaut leaves such a property out, so that a retention of {@code 1w} would quietly
 * be the default of a day, and {@code key-required: ture} would be false.
 */
@Singleton
public final class PropertyValidator {

    private static final Set<String> TRUTH = Set.of("true", "false", "yes", "no", "on", "off", "y", "n");

    private static final Map<String, Class<?>> OF_OPERATIONS = Map.ofEntries(
            Map.entry("programmatic", Boolean.class),
            Map.entry("store", String.class),
            Map.entry("retention", Duration.class),
            Map.entry("in-doubt-retention", String.class),
            Map.entry("lease", Duration.class),
            Map.entry("key-required", Boolean.class),
            Map.entry("key-format", KeyFormat.class),
            Map.entry("other-callers", OtherCallers.class),
            Map.entry("when-in-progress", WhenInProgress.class),
            Map.entry("wait-timeout", Duration.class),
            Map.entry("on-failure", OnFailure.class),
            Map.entry("no-effect-for", String.class),
            Map.entry("final-for", String.class),
            Map.entry("unknown-for", String.class),
            Map.entry("on-store-failure", OnStoreFailure.class),
            Map.entry("on-abandoned", OnAbandoned.class),
            Map.entry("max-result-size", Integer.class));

    private final Environment environment;

    PropertyValidator(Environment environment) {
        this.environment = environment;
    }

    /**
     * Checks what applies to every operation.
     *
     * @throws ConfigurationException when a value cannot be understood
     */
    public void check() {
        Map<String, Class<?>> types = new HashMap<>(OF_OPERATIONS);
        types.put("enabled", Boolean.class);
        types.put("http.key-required", Boolean.class);
        types.put("settle-budget", Duration.class);
        types.put("shutdown-timeout", Duration.class);
        types.put("audit-retention", Duration.class);
        types.forEach((name, type) -> check(IdempotencyConfiguration.PREFIX + "." + name, type));
    }

    /**
     * Checks what is written for one operation.
     *
     * @param operation its name
     * @throws ConfigurationException when a property is unknown or its value cannot be understood
     */
    public void check(String operation) {
        check(OperationConfiguration.PREFIX + "." + operation, OF_OPERATIONS);
    }

    /**
     * Checks what is written below a prefix.
     *
     * @param prefix where the properties are
     * @param types every property there is, and what it is
     * @throws ConfigurationException when a property is unknown or its value cannot be understood
     */
    public void check(String prefix, Map<String, Class<?>> types) {
        types.forEach((name, type) -> check(prefix + "." + name, type));
        for (String written : new TreeSet<>(environment.getPropertyEntries(prefix))) {
            // the elements of a list are entries too
            if (!types.containsKey(written.replaceFirst("\\[.*", ""))) {
                throw new ConfigurationException(prefix + "." + written + ": there is no such property. Known are: "
                        + new TreeSet<>(types.keySet()));
            }
        }
    }

    private void check(String property, Class<?> type) {
        String text = environment.getProperty(property, String.class).orElse(null);
        if (text == null) {
            return;
        }
        boolean understood = type == Boolean.class
                ? TRUTH.contains(text.toLowerCase(Locale.ROOT))
                : environment.getProperty(property, type).isPresent();
        if (!understood) {
            throw new ConfigurationException(property + ": '" + text + "' is not " + expected(type));
        }
    }

    private static String expected(Class<?> type) {
        if (type.isEnum()) {
            return "one of " + Arrays.toString(type.getEnumConstants());
        }
        return type == Duration.class
                ? "a duration like 500ms, 30s, 15m, 24h or 30d"
                : type == Boolean.class ? "true or false" : type == Integer.class ? "a whole number" : "a number";
    }
}
