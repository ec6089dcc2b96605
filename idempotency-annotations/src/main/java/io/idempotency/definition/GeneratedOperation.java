package io.idempotency.definition;

import io.micronaut.core.type.Argument;
import java.util.HashMap;
import java.util.Map;

/**
 * What generated definitions have in common, so that each of them is little code for the compiler. A subclass says what it
 * is in its constructor and adds what has to be code: how the key is read and how the arguments are written.
 */
public abstract class GeneratedOperation implements OperationDefinition {

    private final String name;
    private final String origin;
    private final String method;
    private final String declaration;
    private final KeySource keySource;
    private final String keyDescription;
    private final Argument<?> resultType;
    private final Map<String, String> attributes;

    /** Takes the results of the methods of the same names; attributes are names and values in turns. */
    protected GeneratedOperation(
            String name,
            String origin,
            String method,
            String declaration,
            KeySource keySource,
            String keyDescription,
            Argument<?> resultType,
            String... attributes) {
        this.name = name;
        this.origin = origin;
        this.method = method;
        this.declaration = declaration;
        this.keySource = keySource;
        this.keyDescription = keyDescription;
        this.resultType = resultType;
        Map<String, String> byName = new HashMap<>();
        for (int i = 0; i < attributes.length; i += 2) {
            byName.put(attributes[i], attributes[i + 1]);
        }
        this.attributes = Map.copyOf(byName);
    }

    /** A result's type. Overloads with type parameters take the compiler longer to tell apart. */
    protected static Argument<?> type(Class<?> type, Argument<?>... arguments) {
        return Argument.of(type, arguments);
    }

    /** What a type variable stands for in it. */
    protected static Argument<?> type(Class<?> type, String variable, Argument<?>... arguments) {
        return Argument.of(type, variable, arguments);
    }

    @Override
    public final String name() {
        return name;
    }

    @Override
    public final String origin() {
        return origin;
    }

    @Override
    public final String method() {
        return method;
    }

    @Override
    public final String declaration() {
        return declaration;
    }

    @Override
    public final KeySource keySource() {
        return keySource;
    }

    @Override
    public final String keyDescription() {
        return keyDescription;
    }

    @Override
    public final Argument<?> resultType() {
        return resultType;
    }

    @Override
    public final Map<String, String> attributes() {
        return attributes;
    }
}
