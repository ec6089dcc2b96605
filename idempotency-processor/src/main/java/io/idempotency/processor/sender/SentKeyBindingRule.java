package io.idempotency.processor.sender;

import io.idempotency.processor.rule.Problems;
import io.micronaut.inject.ast.ParameterElement;
import java.util.regex.Pattern;

/**
 * Where a client's method has no {@code @Body}, Micronaut makes the body of the parameters that go nowhere else. Whether
 * the key is to be among them must be said.
 */
final class SentKeyBindingRule implements SenderRule {

    private static final String BINDABLE = "io.micronaut.core.bind.annotation.Bindable";
    private static final String BODY = "io.micronaut.http.annotation.Body";

    @Override
    public void check(SenderMethod method, Problems problems) {
        boolean hasBody = method.parameters().stream().anyMatch(parameter -> parameter.hasStereotype(BODY));
        if (!method.isDeclarative() || method.isSafe() || method.httpMethod().isEmpty() || hasBody) {
            return;
        }
        for (ParameterElement key : method.keys()) {
            if (!key.hasStereotype(BINDABLE) && !isInPath(key.getName(), method.path())) {
                method.error(
                        problems,
                        "no parameter is the @Body, so the key '" + key.getName() + "' would be a property of it too."
                                + " Write @Header(\"Idempotency-Key\") instead of @IdempotencyKey to send it as the header"
                                + " alone, or @SendsIdempotencyKey(key = \"#{ " + key.getName()
                                + " }\") to send it as both.",
                        key);
            }
        }
    }

    private static boolean isInPath(String name, String path) {
        return Pattern.compile("\\{[^}]*\\b" + Pattern.quote(name) + "\\b[^}]*}")
                .matcher(path)
                .find();
    }
}
