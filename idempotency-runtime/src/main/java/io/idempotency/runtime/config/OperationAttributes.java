package io.idempotency.runtime.config;

import io.idempotency.definition.OperationDefinition;
import io.micronaut.context.env.Environment;
import io.micronaut.context.exceptions.ConfigurationException;
import io.micronaut.core.convert.ConversionContext;
import io.micronaut.core.convert.ConversionService;
import io.micronaut.core.naming.NameUtils;
import io.micronaut.core.type.Argument;
import jakarta.inject.Singleton;
import java.util.Collection;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Decides every policy of an operation by its property's name, whose camel case is the annotation's member. The
 * operation's own configuration comes first, then its annotation, then the configuration of all. The first is read by
 * its full name, because Micronaut creates no bean for a name that only an environment variable contains.
 */
@Singleton
public record OperationAttributes(
        Environment environment,
        ConversionService conversion,
        KnownProperties known,
        PropertyValidator properties,
        IdempotencyConfiguration all) {

    /**
     * Returns the property of an operation's attribute. For an operation whose name cannot be part of a property, adds
     * that it needs another name first.
     */
    public static String property(String operation, String attribute) {
        return operation.indexOf('#') < 0
                ? OperationConfiguration.PREFIX + "." + operation + "." + attribute
                : OperationConfiguration.PREFIX + ".<name>." + attribute + ", once the annotation gives it a name";
    }

    /** Returns the names of the operations that are configured as called by hand only. */
    public Set<String> programmatic() {
        return properties.names(OperationConfiguration.PREFIX).stream()
                .flatMap(Collection::stream)
                .filter(name -> this.<Boolean>own(name, "programmatic").orElse(false))
                .collect(Collectors.toUnmodifiableSet());
    }

    /** Returns what is configured for the one operation. */
    @SuppressWarnings("unchecked") // the type is that of the configuration's getter
    <T> Optional<T> own(String operation, String property) {
        String name = OperationConfiguration.PREFIX + "." + operation + "." + property;
        properties.checkValue(name, typeOf(property)); // a variable's value may fit another meaning only
        return (Optional<T>) environment.getProperty(name, ConversionContext.of(typeOf(property)));
    }

    /** Returns what the annotation declares. */
    @SuppressWarnings("unchecked") // as above
    <T> Optional<T> declared(OperationDefinition definition, String property) {
        String member = NameUtils.camelCase(property);
        String text = definition.attributes().get(member);
        if (text == null) {
            return Optional.empty();
        }
        String written = "@IdempotentOperation(" + member + ") of " + definition.origin();
        T value = (T) conversion
                .convert(text, ConversionContext.of(typeOf(property)))
                .orElseThrow(() ->
                        new ConfigurationException(written + ": '" + text + "' cannot be understood. No body ran."));
        properties.requireWithin(written, text, typeOf(property));
        return Optional.of(value);
    }

    private Argument<?> typeOf(String property) {
        return known.typeOf(OperationConfiguration.PREFIX + ".*." + property)
                .orElseThrow(() -> new IllegalStateException("PolicyConfiguration has no getter of " + property));
    }

    /** Returns the value that applies. */
    <T> T of(OperationDefinition definition, String property, Function<PolicyConfiguration, @Nullable T> standard) {
        return of(definition, property, standard, null);
    }

    /** Returns the value that applies; {@code first} overrides the configuration of all, unless it is null. */
    <T> T of(
            OperationDefinition definition,
            String property,
            Function<PolicyConfiguration, @Nullable T> standard,
            @Nullable T first) {
        return this.<T>own(definition.name(), property)
                .or(() -> declared(definition, property))
                .or(() -> Optional.ofNullable(first))
                .orElseGet(() -> Objects.requireNonNull(standard.apply(all)));
    }

    /** Refuses a policy that does not fulfil its requirement, and says where it can be changed. */
    static void require(OperationDefinition definition, String attribute, boolean fulfilled, String problem) {
        if (!fulfilled) {
            throw refused(
                    definition,
                    ": " + attribute + ": " + problem + ". Change it on the annotation, as idempotency." + attribute
                            + " or as " + property(definition.name(), attribute) + ".");
        }
    }

    /** Returns the exception with which an operation fails the start. */
    public static ConfigurationException refused(OperationDefinition definition, String problem) {
        return new ConfigurationException(
                "Operation '" + definition.name() + "' (" + definition.origin() + ")" + problem);
    }
}
