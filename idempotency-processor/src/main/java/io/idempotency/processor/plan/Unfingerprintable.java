package io.idempotency.processor.plan;

import io.idempotency.processor.model.Accessors.State;
import io.idempotency.processor.model.BoundType;
import io.idempotency.processor.model.CompilerModel;
import io.micronaut.inject.ast.ClassElement;
import io.micronaut.inject.ast.ElementQuery;
import io.micronaut.inject.ast.MethodElement;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Reasons why a type has no canonical form at compile time, and remedies. */
public final class Unfingerprintable {

    static final String ENDLESS =
            "its type arguments grow without end. Declare a type that ends, or mark it @NotFingerprinted.";

    private static final String OR_SKIP = ", or mark it @NotFingerprinted.";

    /** Types whose values arrive later. */
    public static final List<String> ASYNCHRONOUS = List.of(
            "java.util.concurrent.Future",
            "java.util.concurrent.CompletionStage",
            "org.reactivestreams.Publisher",
            "java.util.concurrent.Flow.Publisher",
            "io.reactivex.ObservableSource",
            "io.reactivex.rxjava3.core.SingleSource",
            "io.reactivex.rxjava3.core.MaybeSource",
            "io.reactivex.rxjava3.core.CompletableSource",
            "io.reactivex.rxjava3.core.ObservableSource",
            "kotlinx.coroutines.flow.Flow",
            "kotlinx.coroutines.Job");

    /** Types whose values can be read only once. */
    public static final List<String> CONSUMED = List.of(
            "java.io.InputStream",
            "java.io.OutputStream",
            "java.io.Reader",
            "java.nio.channels.Channel",
            "java.util.Iterator",
            "java.util.Spliterator",
            "java.util.stream.BaseStream",
            "kotlin.sequences.Sequence",
            "io.micronaut.http.multipart.FileUpload");

    /** Types without a declared form that may hold data, and are written as JSON at run time. */
    private static final Set<String> DATA =
            Set.of("java.lang.Object", "java.lang.Number", "java.lang.Comparable", "java.io.Serializable");
    /** Packages of types that stand for behaviour or a framework, and are never written. */
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

    /** Returns why no value of the type can be written; empty where one may. */
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
        if (type.isAbstract()) {
            return Optional.of(
                    "it is abstract, and stands for what a value does rather than for what it holds. Take the data"
                            + " that matters as the parameter" + OR_SKIP);
        }
        return type.name().startsWith("java.") || type.name().startsWith("javax.")
                ? Optional.of("it has no canonical form. Declare a record with the values that matter" + OR_SKIP)
                : Optional.empty();
    }

    /** Returns why the type is written at run time; empty where it is closed, or can never be written. */
    static Optional<String> open(BoundType type) {
        if (type.is("java.lang.Object")) {
            return Optional.of("it can hold anything");
        }
        boolean mayHoldData = DATA.contains(type.name())
                || (PLATFORM.stream().noneMatch(type.name()::startsWith) && !isBehaviour(type.element()));
        return type.isAbstract() && mayHoldData
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

    /** Tells whether an interface shows no data, since all its methods take something or return nothing. */
    private static boolean isBehaviour(ClassElement type) {
        List<MethodElement> methods = type.getEnclosedElements(ElementQuery.ALL_METHODS.onlyAbstract());
        boolean reads = methods.stream()
                .anyMatch(method -> method.getParameters().length == 0
                        && !method.getReturnType().isVoid());
        return type.isInterface() && (type.hasStereotype(FunctionalInterface.class) || (!methods.isEmpty() && !reads));
    }

    /**
     * Returns why the properties of a type do not describe it completely; empty where they do.
     *
     * @param named whether the type's name is written, which is enough for a type without state
     * @param compiled whether the class is in this compilation's sources
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
            // of a property of a value class, kapt leaves out the getter
            boolean isKotlin = CompilerModel.element(type.element()).stream()
                    .flatMap(source -> source.getAnnotationMirrors().stream())
                    .anyMatch(mark -> mark.getAnnotationType().toString().equals("kotlin.Metadata"));
            String readable = isKotlin
                    ? ". Make it public, and where its type is a value class, declare what that holds or make it a data class"
                    : ". Add a getter that throws no checked exception";
            return Optional.of(unread
                    + (hidden.isEmpty()
                            ? ". Add getters" + OR_SKIP
                            : readable + ", or mark the field @NotFingerprinted."));
        }
        return Optional.of(
                unread + ", and the class is not of this compilation. Take the values that matter as parameters and"
                        + " mark '" + path + "' @NotFingerprinted"
                        + (hidden.isEmpty()
                                ? "."
                                : ", or mark those fields so by a @Mixin(" + BoundType.lastName(type.name())
                                        + ".class) of Micronaut."));
    }
}
