package io.idempotency.processor.plan;

import io.idempotency.processor.model.Accessors.State;
import io.idempotency.processor.model.BoundType;
import io.micronaut.inject.ast.ClassElement;
import io.micronaut.inject.ast.ElementQuery;
import io.micronaut.inject.ast.MethodElement;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Why a type that is neither a scalar nor a container has no canonical form at compile time, and what to do. */
final class Unfingerprintable {

    static final String ENDLESS =
            "its type arguments grow without end. Declare a type that ends, or mark it @NotFingerprinted.";

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
    /** Types that do not say what their values hold, but may hold data: those are written as JSON at run time. */
    private static final Set<String> DATA =
            Set.of("java.lang.Object", "java.lang.Number", "java.lang.Comparable", "java.io.Serializable");
    /** What stands for behaviour or for a part of a framework is never written. */
    private static final List<String> PLATFORM = List.of(
            "java.",
            "javax.",
            "jakarta.",
            "kotlin.",
            "kotlinx.",
            "groovy.",
            "io.micronaut.",
            "io.netty.",
            "io.opentelemetry.",
            "io.micrometer.",
            "io.reactivex.",
            "org.reactivestreams.",
            "org.slf4j.",
            "reactor.");

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
        if (open(type).isPresent()) {
            return Optional.empty();
        }
        if (isAbstract(type)) {
            return Optional.of(
                    "it is abstract, and stands for what a value does rather than for what it holds. Take the data"
                            + " that matters as the parameter" + OR_SKIP);
        }
        return type.name().startsWith("java.") || type.name().startsWith("javax.")
                ? Optional.of("it has no canonical form. Declare a record with the values that matter" + OR_SKIP)
                : Optional.empty();
    }

    /** What keeps the type from being written at compile time; empty where it is closed, or can never be written. */
    static Optional<String> open(BoundType type) {
        if (type.is("java.lang.Object")) {
            return Optional.of("it can hold anything");
        }
        boolean mayHoldData = DATA.contains(type.name())
                || (PLATFORM.stream().noneMatch(type.name()::startsWith) && !isBehaviour(type.element()));
        return isAbstract(type) && mayHoldData
                ? Optional.of("it is abstract, and its subtypes may carry more than it shows")
                : Optional.empty();
    }

    static String openMessage(String path, BoundType type, String why) {
        return "'" + path + "' of type " + type.erasure() + ": " + why + ", so its value is written as JSON at run"
                + " time. That is slower, two values of the same JSON are the same, and a value that the JSON mapper"
                + " cannot write is refused before the body runs. Declare a closed type, name all subtypes in"
                + " @JsonSubTypes (a sealed type of Kotlin too, whose stubs are not sealed), or mark it"
                + " @NotFingerprinted.";
    }

    private static boolean isAbstract(BoundType type) {
        return type.element().isInterface() || type.element().isAbstract();
    }

    /** An interface whose methods all take something or return nothing shows no data. */
    private static boolean isBehaviour(ClassElement type) {
        List<MethodElement> methods = type.getEnclosedElements(ElementQuery.ALL_METHODS.onlyAbstract());
        boolean reads = methods.stream()
                .anyMatch(method -> method.getParameters().length == 0
                        && !method.getReturnType().isVoid());
        return type.isInterface() && (type.hasStereotype(FunctionalInterface.class) || (!methods.isEmpty() && !reads));
    }

    /**
     * Empty when the properties of a type say everything about it.
     *
     * @param named whether its name is written, which says everything about a type without any state
     * @param compiled whether the class is of this compilation, so that its author can be told to change it
     */
    static Optional<String> state(String path, BoundType type, State state, boolean named, boolean compiled) {
        List<String> hidden = state.hidden();
        boolean saysNothing =
                state.readable().isEmpty() && !named && !type.element().isRecord();
        if (hidden.isEmpty() && !saysNothing) {
            return Optional.empty();
        }
        String unread = hidden.isEmpty()
                ? "it has no properties that can be read"
                : "its field" + (hidden.size() == 1 ? " " : "s ") + String.join(", ", hidden) + " cannot be read";
        if (compiled) {
            return Optional.of(unread
                    + (hidden.isEmpty()
                            ? ". Add getters" + OR_SKIP
                            : ". Add a getter, or mark the field @NotFingerprinted."));
        }
        String erasure = type.erasure();
        return Optional.of(
                unread + ", and the class is not of this compilation. Take the values that matter as parameters and"
                        + " mark '" + path + "' @NotFingerprinted"
                        + (hidden.isEmpty()
                                ? "."
                                : ", or mark those fields so by a @Mixin("
                                        + erasure.substring(erasure.lastIndexOf('.') + 1) + ".class) of Micronaut."));
    }
}
