package io.idempotency.processor.rule;

import io.idempotency.definition.KeySource;
import io.idempotency.processor.model.BoundType;
import io.idempotency.processor.model.OperationMethod;
import io.idempotency.processor.model.OperationMethod.OperationParameter;
import io.idempotency.processor.model.RuleId;
import io.idempotency.processor.plan.Operation;
import io.idempotency.processor.plan.Operation.Problem;
import java.util.List;
import java.util.Set;

/**
 * Requires that every argument can be fingerprinted, unless it is left out on purpose. A request's body that may be read has
 * to be compared, whatever the key is.
 */
final class ArgumentRule implements OperationRule {

    private static final String HTTP = "io.micronaut.http.annotation.";
    private static final List<String> WITHOUT_BODY = List.of("Get", "Head", "Options", "Trace");

    @Override
    public void check(Operation operation, Problems problems) {
        operation.problems().stream()
                .filter(problem -> problem.extended().isEmpty())
                .forEach(problem -> report(problem, operation, "", problems));
        OperationMethod method = operation.method();
        boolean mayHaveABody =
                WITHOUT_BODY.stream().noneMatch(each -> method.method().hasStereotype(HTTP + each));
        boolean isItsKey = operation.key().source() == KeySource.ARGUMENTS;
        if ((isItsKey || method.isRoute() && mayHaveABody) && !comparesBody(method)) {
            method.parameters().stream()
                    .filter(parameter -> !parameter.value().notFingerprinted() && isOpenRequest(parameter.type()))
                    .forEach(parameter -> problems.of(RuleId.UNCOMPARED_BODY, operation)
                            .at(parameter.element())
                            .say(message(parameter.name())));
        }
    }

    @Override
    public void finish(List<Operation> operations, SeenClasses compilation, Problems problems) {
        for (Operation operation : operations) {
            for (Problem problem : operation.problems()) {
                Set<String> subclasses = compilation.subclasses(problem.extended());
                if (!subclasses.isEmpty()) {
                    String why = " has the subclasses " + String.join(", ", subclasses) + ", and a value of one is"
                            + " refused before the body: what it adds would not be compared. Make the class final or"
                            + " sealed, or name its subclasses in @JsonSubTypes.";
                    report(problem, operation, why, problems);
                }
            }
        }
    }

    private static void report(Problem problem, Operation operation, String why, Problems problems) {
        problems.of(problem.id(), operation).at(problem.parameter().element()).say(problem.message() + why);
    }

    /** Tells whether the whole body is compared, rather than a property of it. */
    private static boolean comparesBody(OperationMethod method) {
        return method.parameters().stream()
                .filter(parameter -> !parameter.value().notFingerprinted())
                .map(OperationParameter::element)
                .anyMatch(it -> it.hasStereotype(HTTP + "Body")
                        && it.stringValue(HTTP + "Body").orElse("").isEmpty());
    }

    private static boolean isOpenRequest(BoundType type) {
        return type.as("io.micronaut.http.HttpRequest")
                .filter(request -> request.argument(0).stream().allMatch(body -> body.is("java.lang.Object")))
                .isPresent();
    }

    private static String message(String request) {
        return "'" + request + "' does not say what the body of the request is, so that a second request with the same"
                + " key and another body would get the first one's result. Declare HttpRequest<TheBody>,"
                + " or HttpRequest<byte[]> to compare its bytes, or take it as a @Body parameter. If no body"
                + " is read, mark '"
                + request + "' @NotFingerprinted.";
    }
}
