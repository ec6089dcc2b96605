package io.idempotency.runtime.config;

import io.idempotency.definition.OperationDefinition;
import io.idempotency.runtime.Effect;
import io.micronaut.context.BeanContext;
import io.micronaut.context.env.Environment;
import io.micronaut.context.exceptions.ConfigurationException;
import io.micronaut.core.reflect.ClassUtils;
import io.micronaut.core.type.Argument;
import jakarta.inject.Singleton;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Merges the effects declared for exception types: by the configuration of all operations, the annotation, and the
 * configuration of the one operation, the later overriding the earlier for the same type. Class names are resolved
 * while the application starts, never during a call.
 */
@Singleton
final class FailureTypes {

    private static final Set<Class<?>> PROVE_NOTHING =
            Set.of(Throwable.class, Exception.class, RuntimeException.class, Error.class);

    private final Environment environment;
    private final ClassLoader classes;

    FailureTypes(Environment environment, BeanContext context) {
        this.environment = environment;
        this.classes = context.getClassLoader();
    }

    Map<Class<? extends Throwable>, Effect> of(OperationDefinition definition) {
        Map<Class<? extends Throwable>, Effect> types = new HashMap<>(configured(IdempotencyConfiguration.PREFIX));
        definition.noEffectFor().forEach(type -> types.put(type, Effect.NONE));
        definition.finalFor().forEach(type -> types.put(type, Effect.FINAL));
        definition.unknownFor().forEach(type -> types.put(type, Effect.UNKNOWN));
        types.putAll(configured(OperationConfiguration.PREFIX + "." + definition.name()));
        return types;
    }

    private Map<Class<? extends Throwable>, Effect> configured(String prefix) {
        Map<Class<? extends Throwable>, Effect> types = new HashMap<>();
        add(types, prefix + ".no-effect-for", Effect.NONE);
        add(types, prefix + ".final-for", Effect.FINAL);
        add(types, prefix + ".unknown-for", Effect.UNKNOWN);
        return types;
    }

    private void add(Map<Class<? extends Throwable>, Effect> types, String property, Effect effect) {
        for (String name :
                environment.getProperty(property, Argument.listOf(String.class)).orElse(List.of())) {
            Class<? extends Throwable> type = exception(property, name.trim());
            if (effect == Effect.NONE && PROVE_NOTHING.contains(type)) {
                throw new ConfigurationException(property + ": every kind of failure is a " + name
                        + ", so it proves nothing about the effect. Name the exceptions that do, or choose"
                        + " idempotency.on-failure: RELEASE to forget failures that are not cut-offs.");
            }
            Effect other = types.put(type, effect);
            if (other != null && other != effect) {
                throw new ConfigurationException(property + ": " + name + " is in another of the lists no-effect-for,"
                        + " final-for and unknown-for beside it, and nothing says which one counts. Keep one.");
            }
        }
    }

    private Class<? extends Throwable> exception(String property, String name) {
        Class<?> type = ClassUtils.forName(name, classes)
                .orElseThrow(() -> new ConfigurationException(property + ": there is no class '" + name
                        + "'. Write the full name of an exception, a nested one as Outer$Inner."));
        if (!Throwable.class.isAssignableFrom(type)) {
            throw new ConfigurationException(
                    property + ": '" + name + "' is not an exception, so no body can throw it.");
        }
        return type.asSubclass(Throwable.class);
    }
}
