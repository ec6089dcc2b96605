package io.idempotency.processor.rule;

import io.idempotency.processor.model.BoundType;
import io.idempotency.processor.model.OperationMethod;
import io.idempotency.processor.plan.Unfingerprintable;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Types of the platform and of frameworks that cannot be results, with remedies. */
final class ResultTypes {

    static final List<String> MANY = List.of(
            "reactor.core.publisher.Flux",
            "io.reactivex.Flowable",
            "io.reactivex.Observable",
            "io.reactivex.rxjava3.core.Flowable",
            "io.reactivex.rxjava3.core.Observable",
            "kotlinx.coroutines.flow.Flow",
            "java.util.concurrent.Flow.Publisher");

    /** Types whose values cannot be replayed, and why; the first entry that fits decides. */
    private static final List<Map.Entry<List<String>, String>> NEVER = List.of(
            Map.entry(Unfingerprintable.CONSUMED, " can be read once only. Return the content as a value, or void"),
            Map.entry(
                    List.of(
                            "java.io.File",
                            "java.nio.file.Path",
                            "io.micronaut.http.server.types.files.FileCustomizableResponseType"),
                    " is a file, which may be another one by then. Return its id or location, and serve it by another"
                            + " method"),
            Map.entry(
                    Unfingerprintable.ASYNCHRONOUS,
                    " does not say to the recorder when it is complete. Return CompletionStage or Mono of the value"
                            + " itself"),
            Map.entry(
                    List.of("java.lang.Throwable"),
                    " is an exception, which is never made from a record. Throw it, or return what it says as a value"),
            Map.entry(
                    List.of("java.lang.Thread", "java.lang.Process", "java.lang.ThreadLocal"),
                    " is alive in this process only, and no data. Return what a duplicate needs of it as a value, or"
                            + " void"));

    /** Types that JSON reads back as another type, with remedies. */
    private static final Map<String, String> INEXACT = Map.of(
            "java.lang.Object", "Name a concrete type",
            "java.lang.Number", "Name the kind of number, for instance Long or BigDecimal",
            "java.lang.CharSequence", "Declare String",
            "java.lang.Comparable", "Name a concrete type",
            "java.io.Serializable", "Name a concrete type");

    /** Containers that JSON can be read as without declared elements. */
    private static final List<String> OPEN =
            List.of("java.util.Map", "java.util.List", "java.util.Collection", "java.util.Set", "java.lang.Iterable");

    private static final Pattern JSON = Pattern.compile("[^/]+/([^;]+\\+)?json(;.*)?");

    private ResultTypes() {}

    /** Returns why no value of a type can be replayed. */
    static Optional<String> never(BoundType type) {
        return NEVER.stream()
                .filter(each -> type.isAssignableToAny(each.getKey()))
                .findFirst()
                .map(each -> type.erasure() + each.getValue());
    }

    /** Returns why a value of exactly this type comes back as another one. */
    static Optional<String> inexact(BoundType type) {
        return Optional.ofNullable(type.component() == null ? INEXACT.get(type.name()) : null)
                .map(remedy -> "nothing says what type a duplicate shall get for " + type.erasure() + ". " + remedy);
    }

    /** Tells whether a type is {@code HttpResponse<?>}, whose JSON body a route replays as it was sent. */
    static boolean isOpenResponse(BoundType type) {
        return type.as("io.micronaut.http.HttpResponse")
                .flatMap(response -> response.argument(0))
                .filter(ResultTypes::isOpen)
                .isPresent();
    }

    /** Tells whether a type, or the elements of a container, may be anything. */
    private static boolean isOpen(BoundType body) {
        return body.is("java.lang.Object")
                || OPEN.contains(body.name())
                        && body.arguments().values().stream().anyMatch(ResultTypes::isOpen);
    }

    /** Returns why a method's open response cannot be replayed; empty where it can. */
    static Optional<String> openResponse(OperationMethod method) {
        if (!method.isRoute()) {
            return Optional.of(
                    "nothing says what type of body a duplicate shall get. Name it, or return the value itself");
        }
        boolean json = Stream.of(method.method(), method.owner())
                .map(each -> List.of(each.stringValues("io.micronaut.http.annotation.Produces")))
                .filter(each -> !each.isEmpty())
                .limit(1)
                .flatMap(List::stream)
                .allMatch(type -> JSON.matcher(type).matches());
        return json
                        && !method.method().hasStereotype("com.fasterxml.jackson.annotation.JsonView")
                        && !method.method().hasStereotype("io.micronaut.views.View")
                ? Optional.empty()
                : Optional.of(
                        "a body of no declared type is replayed as plain JSON, which is not what this route sends."
                                + " Name the body's type");
    }
}
