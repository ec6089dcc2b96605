package io.idempotency.runtime.config;

import io.idempotency.definition.Similar;
import io.micronaut.context.BeanContext;
import io.micronaut.context.annotation.ConfigurationReader;
import io.micronaut.context.annotation.Property;
import io.micronaut.core.annotation.AnnotationMetadata;
import io.micronaut.core.type.Argument;
import io.micronaut.inject.BeanDefinition;
import io.micronaut.inject.BeanDefinitionReference;
import io.micronaut.inject.ExecutableMethod;
import jakarta.inject.Singleton;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Every property of the library and its type, as Micronaut wrote them down when it compiled the configuration classes. A
 * {@code *} stands for the name of an operation, a route or a service.
 */
@Singleton
final class KnownProperties {

    private static final String ANY = "*";

    /** More letters than that are another word rather than a slip. */
    private static final int LARGEST_SLIP = 3;

    /** Whose properties are known only where it is on the class path; the longer prefix stands first. */
    private static final List<Map.Entry<String, String>> MODULES = List.of(
            Map.entry("http.client.", "idempotency-http-client"),
            Map.entry("http.", "idempotency-http-server"),
            Map.entry("jdbc.", "idempotency-jdbc"),
            Map.entry("redis.", "idempotency-redis"));

    private final Map<String, Argument<?>> types = new TreeMap<>();

    KnownProperties(BeanContext context) {
        for (BeanDefinitionReference<?> reference : context.getBeanDefinitionReferences()) {
            String prefix = reference
                    .getAnnotationMetadata()
                    .stringValue(ConfigurationReader.class, "prefix")
                    .orElse("");
            if ((prefix + ".").startsWith(IdempotencyConfiguration.PREFIX + ".") && reference.isPresent()) {
                add(reference.load(context));
            }
        }
    }

    private void add(BeanDefinition<?> configuration) {
        for (ExecutableMethod<?, ?> getter : configuration.getExecutableMethods()) {
            add(getter.getAnnotationMetadata(), getter.getReturnType().asArgument());
        }
        for (Argument<?> argument : configuration.getConstructor().getArguments()) {
            add(argument.getAnnotationMetadata(), argument);
        }
    }

    private void add(AnnotationMetadata metadata, Argument<?> type) {
        metadata.stringValue(Property.class, "name")
                .ifPresent(name -> types.put(
                        name, type.isOptional() ? type.getFirstTypeVariable().orElse(type) : type));
    }

    /** All of them by name. */
    Map<String, Argument<?>> all() {
        return Collections.unmodifiableMap(types);
    }

    /** The type of a property as it is written, with the name of an operation where the pattern has a star. */
    Optional<Argument<?>> typeOf(String property) {
        return patternOf(property).map(types::get);
    }

    private Optional<String> patternOf(String property) {
        return types.containsKey(property)
                ? Optional.of(property)
                : types.keySet().stream()
                        .filter(pattern -> regex(pattern).matcher(property).matches())
                        .findFirst();
    }

    private static Pattern regex(String pattern) {
        return Pattern.compile(Pattern.quote(pattern).replace(ANY, "\\E[^.]+\\Q"));
    }

    /** Whether properties are below this one, so that it may stand there empty. */
    boolean isGroup(String property) {
        return like(property).anyMatch(name -> name.startsWith(property + "."));
    }

    /** Where the names are of which this property is about one; empty when it is about none. */
    String groupOf(String property) {
        return patternOf(property)
                .filter(pattern -> pattern.contains(ANY))
                .map(pattern -> pattern.substring(0, pattern.indexOf(ANY) - 1))
                .orElse("");
    }

    /** What an environment variable may mean: a dash and a dot are both an underscore in it. */
    List<String> meanings(String variable) {
        List<String> meanings = new ArrayList<>();
        for (String pattern : types.keySet()) {
            String name = Pattern.quote(asVariable(pattern)).replace(ANY, "\\E(.+)\\Q");
            Matcher matcher = Pattern.compile(name + "(?:_\\d+_?)?").matcher(variable);
            if (matcher.matches()) {
                meanings.add(
                        matcher.groupCount() == 0
                                ? pattern
                                : pattern.replace(
                                        ANY,
                                        matcher.group(1)
                                                .toLowerCase(Locale.ROOT)
                                                .replace('_', '-')));
            }
        }
        return meanings;
    }

    /** What was probably meant; otherwise what there is beside it. */
    String hint(String property) {
        return Similar.nearest(property, like(property).toList(), LARGEST_SLIP)
                .map(known -> " Did you mean " + known + "?")
                .orElseGet(() -> beside(property));
    }

    private String beside(String property) {
        String parent = property.substring(0, property.lastIndexOf('.') + 1);
        List<String> known = like(property)
                .filter(name -> name.startsWith(parent) && name.indexOf('.', parent.length()) < 0)
                .map(name -> name.substring(parent.length()))
                .toList();
        return known.isEmpty() ? ofModule(property) : " Known there are: " + known;
    }

    /** All of them, with what this property has in the place of their stars. */
    private Stream<String> like(String property) {
        return types.keySet().stream().map(pattern -> named(pattern, property));
    }

    private static String ofModule(String property) {
        String group = property.substring(IdempotencyConfiguration.PREFIX.length() + 1);
        return MODULES.stream()
                .filter(module -> group.startsWith(module.getKey()))
                .findFirst()
                .map(module ->
                        " If it is one of io.idempotency:" + module.getValue() + ", add that module to the class path.")
                .orElse(" Remove it, or correct its name.");
    }

    private static String named(String pattern, String property) {
        String[] parts = pattern.split("\\.");
        String[] written = property.split("\\.");
        for (int i = 0; i < parts.length && i < written.length; i++) {
            parts[i] = parts[i].equals(ANY) ? written[i] : parts[i];
        }
        return String.join(".", parts);
    }

    static String asVariable(String property) {
        return property.toUpperCase(Locale.ROOT).replace('.', '_').replace('-', '_');
    }
}
