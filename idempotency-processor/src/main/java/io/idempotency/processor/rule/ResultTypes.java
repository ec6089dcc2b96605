package io.idempotency.processor.rule;

import io.idempotency.processor.model.BoundType;
import io.idempotency.processor.model.OperationMethod;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Types of the platform and of frameworks that are no results: what they are, and what to return instead. */
final class ResultTypes {

    private static final List<String> CONSUMED = List.of(
            "java.io.InputStream",
            "java.io.OutputStream",
            "java.io.Reader",
            "java.nio.channels.Channel",
            "java.util.Iterator",
            "java.util.Spliterator",
            "java.util.stream.BaseStream",
            "kotlin.sequences.Sequence");

    private static final List<String> FILES = List.of(
            "java.io.File",
            "java.nio.file.Path",
            "io.micronaut.http.server.types.files.FileCustomizableResponseType",
            "io.micronaut.http.server.types.files.StreamedFile",
            "io.micronaut.http.server.types.files.SystemFile");

    private static final List<String> MANY = List.of(
            "reactor.core.publisher.Flux",
            "io.reactivex.Flowable",
            "io.reactivex.Observable",
            "io.reactivex.rxjava3.core.Flowable",
            "io.reactivex.rxjava3.core.Observable",
            "kotlinx.coroutines.flow.Flow",
            "java.util.concurrent.Flow.Publisher");

    private static final List<String> LATER = List.of(
            "java.util.concurrent.Future",
            "java.util.concurrent.CompletionStage",
            "org.reactivestreams.Publisher",
            "io.reactivex.rxjava3.core.SingleSource",
            "io.reactivex.rxjava3.core.MaybeSource",
            "io.reactivex.rxjava3.core.CompletableSource",
            "io.reactivex.rxjava3.core.ObservableSource",
            "kotlinx.coroutines.Job");

    /** What lives in one process. */
    private static final List<String> ALIVE = List.of(
            "java.lang.Thread",
            "java.lang.ThreadLocal",
            "java.lang.ClassLoader",
            "java.lang.Process",
            "java.lang.Runnable",
            "java.lang.AutoCloseable",
            "java.util.Timer",
            "java.util.concurrent.Callable",
            "java.util.concurrent.Executor",
            "java.util.concurrent.locks.Lock");

    /** What JSON reads back as something else, and what to declare. */
    private static final Map<String, String> INEXACT = Map.of(
            "java.lang.Object", "Name a concrete type",
            "java.lang.Number", "Name the kind of number, for instance Long or BigDecimal",
            "java.lang.CharSequence", "Declare String",
            "java.lang.Comparable", "Name a concrete type",
            "java.io.Serializable", "Name a concrete type");

    /** What JSON is read as, without a word about what it holds. */
    private static final List<String> OPEN =
            List.of("java.util.Map", "java.util.List", "java.util.Collection", "java.util.Set", "java.lang.Iterable");

    private static final Pattern JSON = Pattern.compile("[^/]+/([^;]+\\+)?json(;.*)?");

    private ResultTypes() {}

    static boolean isMany(BoundType type) {
        return type.isAssignableToAny(MANY);
    }

    /** Why no value of a type can be replayed. */
    static Optional<String> never(BoundType type) {
        if (type.isAssignableToAny(CONSUMED)) {
            return Optional.of(type.erasure() + " can be read once only. Return the content as a value, or void");
        }
        if (type.isAssignableToAny(FILES)) {
            return Optional.of(
                    type.erasure() + " is a file, which may be another one by then. Return its id or location, and"
                            + " serve it by another method");
        }
        if (type.isAssignableToAny(LATER) || isMany(type)) {
            return Optional.of(type.erasure() + " does not say to the recorder when it is complete. Return"
                    + " CompletionStage or Mono of the value itself");
        }
        if (type.isAssignable("java.lang.Throwable")) {
            return Optional.of(type.erasure() + " is an exception, which is never made from a record. Throw it, or"
                    + " return what it says as a value");
        }
        return type.isAssignableToAny(ALIVE)
                ? Optional.of(
                        type.erasure() + " is alive in this process only, and no data. Return what a duplicate needs"
                                + " of it as a value, or void")
                : Optional.empty();
    }

    /** Why a value of exactly this type comes back as another one. */
    static Optional<String> inexact(BoundType type) {
        return Optional.ofNullable(type.component() == null ? INEXACT.get(type.name()) : null)
                .map(remedy -> "nothing says what type a duplicate shall get for " + type.erasure() + ". " + remedy);
    }

    /** Whether it is {@code HttpResponse<?>}: on a route its body is replayed as it was sent, where all of it is JSON. */
    static boolean isOpenResponse(BoundType type) {
        return type.as("io.micronaut.http.HttpResponse")
                .flatMap(response -> response.argument(0))
                .filter(ResultTypes::isOpen)
                .isPresent();
    }

    /** Of a container it is enough that nothing says what it holds. */
    private static boolean isOpen(BoundType body) {
        return body.is("java.lang.Object")
                || OPEN.contains(body.name())
                        && body.arguments().values().stream().anyMatch(ResultTypes::isOpen);
    }

    /** Why a method's open response cannot be replayed; empty where it can. */
    static Optional<String> openResponse(OperationMethod method) {
        if (!method.isRoute()) {
            return Optional.of(
                    "nothing says what type of body a duplicate shall get. Name it, or return the value itself");
        }
        boolean json = Stream.of(method.method(), method.owner())
                .map(each -> List.of(each.stringValues("io.micronaut.http.annotation.Produces")))
                .filter(each -> !each.isEmpty())
                .findFirst()
                .orElse(List.of())
                .stream()
                .allMatch(type -> JSON.matcher(type).matches());
        return json && !method.method().hasStereotype("com.fasterxml.jackson.annotation.JsonView")
                ? Optional.empty()
                : Optional.of(
                        "a body of no declared type is replayed as plain JSON, which is not what this route sends."
                                + " Name the body's type");
    }
}
