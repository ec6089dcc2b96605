package io.idempotency.processor.source;

import io.idempotency.processor.model.OperationMethod;
import io.idempotency.processor.plan.Literals;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The policies that the annotation sets; those it leaves out are left to the configuration. */
final class PolicySource {

    private final OperationMethod method;
    private final Map<String, String> attributes;

    PolicySource(OperationMethod method) {
        this.method = method;
        this.attributes = method.attributes();
    }

    /** Names and values in turns, as further arguments. */
    String arguments() {
        return attributes.entrySet().stream()
                .map(attribute -> ", " + Literals.text(attribute.getKey()) + ", " + Literals.text(attribute.getValue()))
                .collect(Collectors.joining());
    }

    void methods(JavaText text) {
        if (!method.text("namespace").isEmpty()) {
            text.returning("String namespace()", Literals.text(method.text("namespace")));
            text.returning("boolean sharesKeys()", "true");
        }
        if (method.flag("transactional")) {
            text.returning("boolean transactional()", "true");
        }
        failures(text);
    }

    private void failures(JavaText text) {
        for (String list : OperationMethod.FAILURE_LISTS) {
            List<String> types = method.classNames(list);
            if (!types.isEmpty()) {
                String literals = types.stream()
                        .map(type -> type.replace('$', '.') + ".class")
                        .collect(Collectors.joining(", "));
                text.returning("List<Class<? extends Throwable>> " + list + "()", "List.of(" + literals + ")");
            }
        }
    }
}
