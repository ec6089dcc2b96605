package io.idempotency.processor.plan;

import io.idempotency.processor.model.Accessors.State;
import io.idempotency.processor.model.BoundType;
import java.util.List;
import java.util.Optional;

/** Why a type that is neither a scalar nor a container has no canonical form, and what to do. */
final class Unfingerprintable {

    static final String ENDLESS =
            "its type arguments grow without end. Declare a type that ends, or mark it" + " @NotFingerprinted.";

    private static final String OR_SKIP = ", or mark it @NotFingerprinted.";

    private static final List<String> ASYNCHRONOUS = List.of(
            "java.util.concurrent.Future",
            "java.util.concurrent.CompletionStage",
            "org.reactivestreams.Publisher",
            "java.util.concurrent.Flow.Publisher",
            "kotlinx.coroutines.flow.Flow");

    private static final List<String> CONSUMED = List.of(
            "java.io.InputStream",
            "java.io.Reader",
            "java.nio.channels.Channel",
            "java.util.Iterator",
            "java.util.stream.BaseStream",
            "io.micronaut.http.multipart.FileUpload");

    private Unfingerprintable() {}

    static String invisible(String fromPackage) {
        return "code in package " + fromPackage + " cannot see it, and that is where its fingerprint is generated. Make"
                + " the type package-private there or public" + OR_SKIP;
    }

    static String besides(List<String> properties) {
        return "it is a container that holds " + String.join(", ", properties) + " besides its elements, and would be"
                + " compared by its elements only. Declare a record with the elements as one of its properties, or mark"
                + " what does not matter @NotFingerprinted.";
    }

    /** Empty unless no value of the type can be written, whatever it holds. */
    static Optional<String> never(BoundType type) {
        if (type.isAssignableToAny(ASYNCHRONOUS)) {
            return Optional.of("it is not there yet when the fingerprint is taken. Take the value itself as the"
                    + " parameter" + OR_SKIP);
        }
        if (type.isAssignableToAny(CONSUMED)) {
            return Optional.of(
                    "reading it would use it up. Take the content or a digest of it as the parameter" + OR_SKIP);
        }
        if (OpenTypes.why(type).isPresent()) {
            return Optional.empty();
        }
        if (type.element().isInterface() || type.element().isAbstract()) {
            return Optional.of(
                    "it is abstract, and stands for what a value does rather than for what it holds. Take the"
                            + " data that matters as the parameter" + OR_SKIP);
        }
        return type.name().startsWith("java.") || type.name().startsWith("javax.")
                ? Optional.of("it has no canonical form. Declare a record with the values that matter" + OR_SKIP)
                : Optional.empty();
    }

    /**
     * Empty when the properties of a type say everything about it.
     *
     * @param named whether its name is written, which says everything about a type without any state
     */
    static Optional<String> state(BoundType type, State state, boolean named) {
        if (!state.hidden().isEmpty()) {
            return Optional.of(unread(state.hidden()) + ". Add a getter, or mark the field @NotFingerprinted.");
        }
        return saysNothing(type, state, named)
                ? Optional.of("it has no properties that can be read. Add getters" + OR_SKIP)
                : Optional.empty();
    }

    /** As {@link #state}, for a class that is not of this compilation, and often not of its author. */
    static Optional<String> foreignState(String path, BoundType type, State state, boolean named) {
        if (!state.hidden().isEmpty()) {
            return Optional.of(
                    unread(state.hidden()) + ", and the class is not of this compilation. Take the values that matter"
                            + " as parameters and mark '" + path + "' @NotFingerprinted, or mark those fields so by a"
                            + " @Mixin(" + simpleName(type) + ".class) of Micronaut.");
        }
        return saysNothing(type, state, named)
                ? Optional.of(
                        "it has no properties that can be read, and the class is not of this compilation. Take the"
                                + " values that matter as parameters and mark '" + path + "' @NotFingerprinted.")
                : Optional.empty();
    }

    private static String unread(List<String> hidden) {
        return "its field" + (hidden.size() == 1 ? " " : "s ") + String.join(", ", hidden) + " cannot be read";
    }

    private static boolean saysNothing(BoundType type, State state, boolean named) {
        return state.readable().isEmpty() && !named && !type.element().isRecord();
    }

    private static String simpleName(BoundType type) {
        String erasure = type.erasure();
        return erasure.substring(erasure.lastIndexOf('.') + 1);
    }
}
