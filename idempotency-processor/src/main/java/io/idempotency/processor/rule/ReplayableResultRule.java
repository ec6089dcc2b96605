package io.idempotency.processor.rule;

import io.idempotency.processor.model.Accessors;
import io.idempotency.processor.model.BoundType;
import io.idempotency.processor.model.OperationMethod;
import io.idempotency.processor.plan.Operation;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The result must be a value that can be recorded and given to every duplicate. */
public final class ReplayableResultRule implements OperationRule {

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

    /** What the interceptor itself can make of a replayed value; subclasses of these it cannot. */
    private static final Set<String> CARRIERS = Set.of(
            "java.util.concurrent.CompletionStage",
            "java.util.concurrent.CompletableFuture",
            "org.reactivestreams.Publisher",
            "reactor.core.publisher.Mono",
            "io.reactivex.Single",
            "io.reactivex.Maybe",
            "io.reactivex.Completable",
            "io.reactivex.rxjava3.core.Single",
            "io.reactivex.rxjava3.core.Maybe",
            "io.reactivex.rxjava3.core.Completable");

    @Override
    public void check(Operation operation, Problems problems) {
        OperationMethod method = operation.method();
        BoundType returned = method.returnType();
        Optional<String> reason = returned.isAssignableToAny(MANY)
                ? Optional.of(
                        "it carries many values over time. Return Mono<List<…>>, CompletionStage<List<…>> or a list")
                : carrier(operation.result().carrier())
                        .or(() ->
                                Optional.ofNullable(operation.result().type()).flatMap(value -> reason(value, method)));
        reason.ifPresent(why -> problems.error(
                operation, "the result " + returned.sourceName() + " cannot be recorded and replayed: " + why + "."));
    }

    private static Optional<String> carrier(@Nullable BoundType carrier) {
        return carrier == null || CARRIERS.contains(carrier.name())
                ? Optional.empty()
                : Optional.of("a duplicate's " + carrier.erasure() + " would have to be made here, and only"
                        + " CompletionStage, CompletableFuture, Mono, Publisher, Single, Maybe and Completable can be."
                        + " Return one of these");
    }

    private static Optional<String> reason(BoundType type, OperationMethod method) {
        if (type.component() != null) {
            return reason(type.component(), method);
        }
        if (OpenResponse.is(type)) {
            return OpenResponse.reason(method);
        }
        return nature(type)
                .or(() -> visibility(type, method))
                .or(() -> type.arguments().values().stream()
                        .flatMap(argument -> reason(argument, method).stream())
                        .findFirst());
    }

    private static Optional<String> nature(BoundType type) {
        if (type.is("java.lang.Object")) {
            return Optional.of("nothing says what type a duplicate shall get. Name a concrete type, or void");
        }
        if (type.isAssignableToAny(CONSUMED)) {
            return Optional.of(type.erasure() + " can be read once only. Return the content as a value, or void");
        }
        if (type.isAssignableToAny(FILES)) {
            return Optional.of(
                    type.erasure() + " is a file, which may be another one by then. Return its id or location, and"
                            + " serve it by another method");
        }
        return type.isAssignableToAny(LATER)
                ? Optional.of(type.erasure() + " does not say when it is complete to whoever records it. Return"
                        + " CompletionStage or Mono of the value itself")
                : Optional.empty();
    }

    private static Optional<String> visibility(BoundType type, OperationMethod method) {
        String fromPackage = method.owner().getPackageName();
        return type.isPrimitive() || Accessors.isVisible(type.element(), fromPackage)
                ? Optional.empty()
                : Optional.of(
                        "code in package " + fromPackage + " cannot see " + type.erasure()
                                + ", and that is where its definition is generated. Make the type package-private there or public");
    }
}
