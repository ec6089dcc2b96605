package io.idempotency.processor.rule.argument;

import io.idempotency.definition.KeySource;
import io.idempotency.processor.model.BoundType;
import io.idempotency.processor.model.OperationMethod;
import io.idempotency.processor.model.OperationParameter;
import io.idempotency.processor.plan.Operation;
import io.idempotency.processor.rule.OperationRule;
import io.idempotency.processor.rule.Problems;
import io.idempotency.processor.rule.RuleId;
import java.util.List;

/** A key from the header says nothing about the request: where its body is read, the body has to be compared. */
public final class RequestBodyRule implements OperationRule {

    private static final String HTTP = "io.micronaut.http.annotation.";
    private static final String HTTP_REQUEST = "io.micronaut.http.HttpRequest";
    private static final List<String> WITHOUT_BODY = List.of("Get", "Head", "Options", "Trace");

    @Override
    public void check(Operation operation, Problems problems) {
        OperationMethod method = operation.method();
        boolean mayHaveABody =
                WITHOUT_BODY.stream().noneMatch(each -> method.method().hasStereotype(HTTP + each));
        boolean fromHeader = operation.key().source() == KeySource.HEADER
                || (method.isRoute() && operation.key().fromHeader());
        if (fromHeader && mayHaveABody && !comparesBody(method)) {
            method.parameters().stream()
                    .filter(parameter -> !parameter.notFingerprinted() && isOpenRequest(parameter.type()))
                    .forEach(parameter -> problems.report(
                            RuleId.UNCOMPARED_BODY, operation, message(parameter), parameter.element()));
        }
    }

    /** The whole body, not a property of it. */
    private static boolean comparesBody(OperationMethod method) {
        return method.parameters().stream()
                .anyMatch(parameter -> !parameter.notFingerprinted()
                        && parameter.element().hasStereotype(HTTP + "Body")
                        && parameter
                                .element()
                                .stringValue(HTTP + "Body")
                                .orElse("")
                                .isEmpty());
    }

    private static boolean isOpenRequest(BoundType type) {
        return type.as(HTTP_REQUEST)
                .filter(request -> request.argument(0)
                        .map(body -> body.is("java.lang.Object"))
                        .orElse(true))
                .isPresent();
    }

    private static String message(OperationParameter request) {
        return "'" + request.name()
                + "' does not say what the body of the request is, so that a second request with the same"
                + " Idempotency-Key and another body would get the first one's result. Declare HttpRequest<TheBody>, or"
                + " HttpRequest<byte[]> to compare its bytes, or take it as a @Body parameter. If the route reads no body,"
                + " mark '" + request.name() + "' @NotFingerprinted.";
    }
}
