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
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Every property of the library with its type, from the metadata that Micronaut compiled for the configuration classes.
 * A {@code *} stands for the name of an operation, a route or a service.
 */
@Singleton
final class KnownProperties {

    private static final String ANY = "*";

    /** The most letters of a misspelling; more make another word. */
    private static final int LARGEST_SLIP = 3;

    /** Modules whose properties are known only if they are on the class path; longer prefixes stand first. */
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

    /** Returns all properties by name. */
    Map<String, Argument<?>> all() {
        return Collections.unmodifiableMap(types);
    }

    /** Returns the type of a property, with an operation's name in it where the pattern has a star. */
    Optional<Argument<?>> typeOf(String property) {
        return patternOf(property).map(types::get);
    }

    private Optional<String> patternOf(String property) {
        return types.containsKey(property)
                ? Optional.of(property)
                : types.keySet().stream()
                        .filter(pattern -> named(pattern, property).equals(property))
                        .findFirst();
    }

    /** Tells whether there are properties below this one, so that it may be written without a value. */
    boolean isGroup(String property) {
        return like(property).anyMatch(name -> name.startsWith(property + "."));
    }

    /** Returns the prefix below which the property names an operation or route; empty when it names none. */
    String groupOf(String property) {
        return patternOf(property)
                .filter(pattern -> pattern.contains(ANY))
                .map(pattern -> pattern.substring(0, pattern.indexOf(ANY) - 1))
                .orElse("");
    }

    /**
     * Returns the properties that an environment variable may mean, the one with the shortest name of an operation first.
     * Both a dash and a dot are an underscore in it.
     */
    List<String> meanings(String variable) {
        List<String> meanings = new ArrayList<>();
        for (String pattern : types.keySet()) {
            String name = Pattern.quote(asVariable(pattern)).replace(ANY, "\\E(.+)\\Q");
            Matcher matcher = Pattern.compile(name + "(?:_\\d+_?)?").matcher(variable);
            if (matcher.matches()) {
                String named = matcher.groupCount() == 0 ? "" : matcher.group(1);
                meanings.add(pattern.replace(ANY, named.toLowerCase(Locale.ROOT).replace('_', '-')));
            }
        }
        meanings.sort(Comparator.comparingInt(property -> property.lastIndexOf('.')));
        return meanings;
    }

    /** Returns a suggestion for an unknown property: a similar one, or else those beside it. */
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

    /** Returns all properties, with the names of this one in place of their stars. */
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
