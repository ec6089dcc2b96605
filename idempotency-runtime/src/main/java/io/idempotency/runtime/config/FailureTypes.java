package io.idempotency.runtime.config;

import io.idempotency.definition.OperationDefinition;
import io.idempotency.runtime.Effect;
import io.micronaut.context.BeanContext;
import io.micronaut.context.exceptions.ConfigurationException;
import io.micronaut.core.annotation.Nullable;
import io.micronaut.core.reflect.ClassUtils;
import jakarta.inject.Singleton;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Adds up which exception types say what about the effect: those of all operations, of the annotation and of the one
 * operation's configuration, where the later wins for the same type. Names are resolved here, while the application
 * starts, and never at a call.
 */
@Singleton
final class FailureTypes {

    private static final Set<Class<?>> PROVE_NOTHING =
            Set.of(Throwable.class, Exception.class, RuntimeException.class, Error.class);

    private final IdempotencyConfiguration all;
    private final ClassLoader classes;

    FailureTypes(IdempotencyConfiguration all, BeanContext context) {
        this.all = all;
        this.classes = context.getClassLoader();
    }

    Map<Class<? extends Throwable>, Effect> of(OperationDefinition definition, @Nullable OperationConfiguration own) {
        Map<Class<? extends Throwable>, Effect> types = new HashMap<>(configured(IdempotencyConfiguration.PREFIX, all));
        definition.noEffectFor().forEach(type -> types.put(type, Effect.NONE));
        definition.finalFor().forEach(type -> types.put(type, Effect.FINAL));
        definition.unknownFor().forEach(type -> types.put(type, Effect.UNKNOWN));
        if (own != null) {
            types.putAll(configured(OperationConfiguration.PREFIX + "." + definition.name(), own));
        }
        return types;
    }

    private Map<Class<? extends Throwable>, Effect> configured(String prefix, FailureLists lists) {
        Map<Class<? extends Throwable>, Effect> types = new HashMap<>();
        add(types, prefix + ".no-effect-for", lists.getNoEffectFor(), Effect.NONE);
        add(types, prefix + ".final-for", lists.getFinalFor(), Effect.FINAL);
        add(types, prefix + ".unknown-for", lists.getUnknownFor(), Effect.UNKNOWN);
        return types;
    }

    private void add(
            Map<Class<? extends Throwable>, Effect> types,
            String property,
            @Nullable List<String> names,
            Effect effect) {
        for (String name : names == null ? new ArrayList<String>() : names) {
            Class<? extends Throwable> type = exception(property, name.trim());
            if (effect == Effect.NONE && PROVE_NOTHING.contains(type)) {
                throw new ConfigurationException(property + ": every kind of failure is a " + name
                        + ", so it proves nothing about the effect. Name the exceptions that do, or choose"
                        + " idempotency.on-failure: RELEASE to forget failures that are not cut-offs.");
            }
            Effect other = types.put(type, effect);
            if (other != null && other != effect) {
                throw new ConfigurationException(property + ": " + name + " is in another of the lists no-effect-for,"
                        + " final-for and unknown-for beside it, and nobody could say which one counts. Keep one.");
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
