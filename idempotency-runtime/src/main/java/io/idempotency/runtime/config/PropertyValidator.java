package io.idempotency.runtime.config;

import io.idempotency.definition.Similar;
import io.idempotency.runtime.Within;
import io.micronaut.context.env.Environment;
import io.micronaut.context.env.PropertySource;
import io.micronaut.context.exceptions.ConfigurationException;
import io.micronaut.core.annotation.AnnotationMetadata;
import io.micronaut.core.convert.ConversionContext;
import io.micronaut.core.convert.ConversionService;
import io.micronaut.core.naming.NameUtils;
import io.micronaut.core.type.Argument;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Refuses unknown properties and values that cannot be converted. Micronaut ignores both, so that a retention of
 * {@code 1w} would silently be the default of a day, and {@code key-required: ture} would be false. Refuses values
 * beyond the limits of {@link Within} as well.
 *
 * <p>Micronaut takes an environment variable for every property that its name may mean:
 * {@code IDEMPOTENCY_OPERATIONS_CHARGE_PAYMENT_LEASE} is also {@code idempotency.operations.charge.payment-lease}. So a
 * variable is accepted when one of its meanings exists and takes its value, and its other meanings are no mistake.
 */
@Singleton
public final class PropertyValidator {

    /** The words that conditions compare as texts; the {@code yes} of YAML arrives as one of them. */
    private static final Set<String> TRUTH = Set.of("true", "false");

    /** Groups whose members are read by their full names, so that a variable alone is enough. */
    private static final Set<String> READ_BY_NAME =
            Set.of(OperationConfiguration.PREFIX, IdempotencyConfiguration.PREFIX + ".http.refusals");

    private static final String ROOT = IdempotencyConfiguration.PREFIX + ".";

    /** The prefix of the test kit's properties, and of those of this library's own tests. */
    private static final String OWN_TESTS = ROOT + "test.";

    /** The property of builds for this library's version; Maven passes it to the tests' JVM from the command line. */
    private static final String OF_BUILDS = ROOT + "version";

    /** Variables that Kubernetes sets in every container for a service whose name begins with idempotency. */
    private static final Pattern SERVICE_LINK =
            Pattern.compile(".*_(SERVICE_HOST|SERVICE_PORT(_.+)?|PORT(_\\d+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?)?)");

    /** Properties and variables: whether Micronaut's prefix stands in front, the first name, and the rest. */
    private static final Pattern PROPERTY = Pattern.compile("(micronaut\\.)?([^.]+)\\.(.+?)(?:\\[.*)?");

    private static final Pattern VARIABLE = Pattern.compile("(MICRONAUT_)?([^_]+)_(.+)");

    private static final int SMALL_SLIP = 2;

    private final Environment environment;
    private final ConversionService conversion;
    private final KnownProperties known;
    private final Map<String, List<String>> variables = new TreeMap<>();

    PropertyValidator(Environment environment, ConversionService conversion, KnownProperties known) {
        this.environment = environment;
        this.conversion = conversion;
        this.known = known;
        for (PropertySource source : environment.getPropertySources()) {
            if (source.getConvention() == PropertySource.PropertyConvention.ENVIRONMENT_VARIABLE) {
                source.forEach(name -> addVariable(name.toUpperCase(Locale.ROOT)));
            }
        }
    }

    private void addVariable(String name) {
        if (name.startsWith(KnownProperties.asVariable(ROOT))) {
            variables.put(name, known.meanings(name));
        }
    }

    /** Checks every property and variable of this library; throws when one is unknown, invalid or in an unread file. */
    public void check() {
        UnreadConfigurationFiles.refuse(environment);
        environment.getPropertySources().forEach(this::refuseNearMisses);
        for (String property : written()) {
            Argument<?> type = known.typeOf(property)
                    .orElseThrow(() -> new ConfigurationException(
                            property + ": there is no such property." + known.hint(property)));
            checkValue(property, type);
        }
        variables.forEach((name, meanings) -> {
            if (meanings.isEmpty() && !SERVICE_LINK.matcher(name).matches()) {
                String guessed =
                        name.toLowerCase(Locale.ROOT).replaceFirst("_", ".").replace('_', '-');
                throw new ConfigurationException("The environment variable " + name
                        + " stands for no property of this library." + known.hint(guessed)
                        + " Correct or remove it, or give it another name if it is not for this library.");
            }
            requireRead(name, meanings);
            checkMeanings(meanings);
        });
    }

    /** Refuses a value that no meaning takes: {@code forever} is an in-doubt retention, and no retention of X_IN_DOUBT. */
    private void checkMeanings(List<String> meanings) {
        ConfigurationException refused = null;
        for (String property : meanings) {
            try {
                checkValue(property, known.typeOf(property).orElseThrow());
                return;
            } catch (ConfigurationException e) {
                refused = refused == null ? e : refused;
            }
        }
        if (refused != null) {
            throw refused;
        }
    }

    /** Refuses properties below a misspelt prefix that would be known below the library's own. */
    private void refuseNearMisses(PropertySource source) {
        boolean variables = source.getConvention() == PropertySource.PropertyConvention.ENVIRONMENT_VARIABLE;
        for (String name : source) {
            Matcher written = variables
                    ? VARIABLE.matcher(name.toUpperCase(Locale.ROOT))
                    : PROPERTY.matcher(NameUtils.hyphenate(name, true));
            if (!written.matches() || !isSlip(written.group(1) != null, written.group(2))) {
                continue;
            }
            String meant = (variables ? KnownProperties.asVariable(ROOT) : ROOT) + written.group(3);
            if (variables
                    ? !known.meanings(meant).isEmpty()
                    : known.typeOf(meant).isPresent()) {
                throw new ConfigurationException(name + ": nothing reads this property. The application does not start."
                        + " Did you mean " + meant + "?");
            }
        }
    }

    private static boolean isSlip(boolean belowMicronaut, String root) {
        String name = root.toLowerCase(Locale.ROOT);
        return belowMicronaut && name.equals(IdempotencyConfiguration.PREFIX)
                || Similar.nearest(name, List.of(IdempotencyConfiguration.PREFIX), SMALL_SLIP)
                        .isPresent();
    }

    /** Requires a name with a dash to be written elsewhere too, without which Micronaut creates no bean for it. */
    private void requireRead(String variable, List<String> meanings) {
        boolean read = meanings.isEmpty()
                || meanings.stream().anyMatch(property -> {
                    String group = known.groupOf(property);
                    return group.isEmpty()
                            || READ_BY_NAME.contains(group)
                            || !Collections.disjoint(
                                    below(group, List.of(property)), environment.getPropertyEntries(group));
                });
        if (!read) {
            throw new ConfigurationException("The environment variable " + variable + " is for " + meanings
                    + ", and there is nothing of that name. A variable can change what application.yml or another file"
                    + " names, but cannot add a name with a dash. Write at least one property of it there.");
        }
    }

    /**
     * Returns the names that are written below a prefix, for instance of operations. Each set is the name of one
     * property, or all names that an environment variable may mean.
     */
    public List<Set<String>> names(String prefix) {
        Set<Set<String>> names = new HashSet<>();
        written().forEach(property -> names.add(below(prefix, List.of(property))));
        variables.values().forEach(meanings -> names.add(below(prefix, meanings)));
        return names.stream().filter(each -> !each.isEmpty()).toList();
    }

    /** Tells whether properties are written for a name. Micronaut also creates beans for unintended names. */
    public boolean isNamed(String prefix, String name) {
        return names(prefix).stream().anyMatch(names -> names.contains(name));
    }

    private static Set<String> below(String prefix, List<String> properties) {
        return properties.stream()
                .filter(property -> property.startsWith(prefix + "."))
                .map(property -> property.substring(prefix.length() + 1).replaceFirst("\\..*", ""))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** Returns the properties outside environment variables. The elements of a list are entries of their own. */
    private Set<String> written() {
        Set<String> written = new TreeSet<>();
        environment.getProperties(IdempotencyConfiguration.PREFIX).forEach((name, value) -> {
            String property = ROOT + name.replaceFirst("\\[.*", "");
            boolean empty = value == null || value.toString().isEmpty() || value instanceof Map;
            if (!property.startsWith(OWN_TESTS)
                    && !property.equals(OF_BUILDS)
                    && !variables.containsKey(KnownProperties.asVariable(property))
                    && !(empty && known.isGroup(property))) {
                written.add(property);
            }
        });
        return written;
    }

    /** Refuses a property whose value cannot be understood. */
    void checkValue(String property, Argument<?> type) {
        if (Iterable.class.isAssignableFrom(type.getType())) {
            Argument<?> element = type.getFirstTypeVariable().orElse(Argument.STRING);
            environment
                    .getProperty(property, Argument.listOf(String.class))
                    .ifPresent(texts -> texts.forEach(text -> require(property, text, element)));
            return;
        }
        environment.getProperty(property, String.class).ifPresent(text -> require(property, text, type));
    }

    private void require(String property, String text, Argument<?> type) {
        boolean understood = isTruth(type)
                ? TRUTH.contains(text)
                : conversion.convert(text, ConversionContext.of(type)).isPresent();
        if (!understood) {
            throw new ConfigurationException(property + ": '" + text + "' is not " + expected(type));
        }
        requireWithin(property, text, type);
    }

    /** Refuses a value beyond the limits that its type declares. */
    void requireWithin(String property, String text, Argument<?> type) {
        AnnotationMetadata limits = type.getAnnotationMetadata();
        String min = limits.stringValue(Within.class, "min").orElse("");
        String max = limits.stringValue(Within.class, "max").orElse("");
        if (!min.isEmpty() && compare(text, min, type) < 0) {
            throw new ConfigurationException(property + ": " + text + " is less than " + min);
        } else if (!max.isEmpty() && compare(text, max, type) > 0) {
            throw new ConfigurationException(property + ": " + text + " is more than " + max);
        }
    }

    @SuppressWarnings("unchecked") // limits are declared for numbers and durations
    private int compare(String text, String limit, Argument<?> type) {
        return ((Comparable<Object>) conversion.convertRequired(text, type))
                .compareTo(conversion.convertRequired(limit, type));
    }

    private static boolean isTruth(Argument<?> type) {
        return type.getType() == boolean.class || type.getType() == Boolean.class;
    }

    private static String expected(Argument<?> type) {
        if (type.getType().isEnum()) {
            return "one of " + Arrays.toString(type.getType().getEnumConstants());
        }
        return type.getType() == Duration.class
                ? "a duration like 500ms, 30s, 15m, 24h or 30d"
                : isTruth(type) ? "true or false" : type.getType() == String.class ? "a text" : "a number";
    }
}
