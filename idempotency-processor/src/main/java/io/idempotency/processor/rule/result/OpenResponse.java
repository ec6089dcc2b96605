package io.idempotency.processor.rule.result;

import io.idempotency.processor.model.BoundType;
import io.idempotency.processor.model.OperationMethod;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** {@code HttpResponse<?>}: on a route its body is replayed as it was sent; that is known where all of it is JSON. */
final class OpenResponse {

    private static final Pattern JSON = Pattern.compile("[^/]+/([^;]+\\+)?json(;.*)?");

    /** What JSON is read as, without a word about what it holds. */
    private static final List<String> CONTAINERS =
            List.of("java.util.Map", "java.util.List", "java.util.Collection", "java.util.Set", "java.lang.Iterable");

    private OpenResponse() {}

    static boolean is(BoundType type) {
        return type.as("io.micronaut.http.HttpResponse")
                .flatMap(response -> response.argument(0))
                .filter(OpenResponse::isOpen)
                .isPresent();
    }

    /** Of a container it is enough that nothing says what it holds. */
    private static boolean isOpen(BoundType body) {
        return body.is("java.lang.Object")
                || CONTAINERS.contains(body.name())
                        && body.arguments().values().stream().anyMatch(OpenResponse::isOpen);
    }

    /** Why such a result cannot be replayed; empty where it can. */
    static Optional<String> reason(OperationMethod method) {
        if (!method.isRoute()) {
            return Optional.of(
                    "nothing says what type of body a duplicate shall get. Name it, or return the value itself");
        }
        return sendsJson(method) && !method.method().hasStereotype("com.fasterxml.jackson.annotation.JsonView")
                ? Optional.empty()
                : Optional.of(
                        "a body of no declared type is replayed as plain JSON, which is not what this route sends."
                                + " Name the body's type");
    }

    private static boolean sendsJson(OperationMethod method) {
        return Stream.of(method.method(), method.owner())
                .map(each -> List.of(each.stringValues("io.micronaut.http.annotation.Produces")))
                .filter(each -> !each.isEmpty())
                .findFirst()
                .orElse(List.of())
                .stream()
                .allMatch(type -> JSON.matcher(type).matches());
    }
}
