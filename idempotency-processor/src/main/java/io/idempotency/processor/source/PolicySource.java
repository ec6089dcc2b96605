package io.idempotency.processor.source;

import io.idempotency.processor.model.Durations;
import io.idempotency.processor.model.OperationMethod;
import io.idempotency.processor.plan.Literals;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** The attributes that the annotation sets; those it leaves out are left to the configuration. */
final class PolicySource {

    private static final Map<String, String> ENUMS = new TreeMap<>(Map.of(
            "whenInProgress", "io.idempotency.WhenInProgress",
            "onFailure", "io.idempotency.OnFailure",
            "onStoreFailure", "io.idempotency.OnStoreFailure",
            "onAbandoned", "io.idempotency.OnAbandoned",
            "otherCallers", "io.idempotency.OtherCallers"));

    private static final Map<String, String> DURATIONS = new TreeMap<>(Map.of(
            Durations.RETENTION, "RETENTION",
            Durations.LEASE, "LEASE",
            Durations.WAIT_TIMEOUT, "WAIT_TIMEOUT"));

    private final OperationMethod method;

    PolicySource(OperationMethod method) {
        this.method = method;
    }

    void constants(JavaText text) {
        DURATIONS.forEach((attribute, constant) -> {
            if (method.sets(attribute)) {
                String written = method.text(attribute);
                long millis = Durations.parse(written).orElseThrow().toMillis();
                text.lines("/** " + attribute + " = " + Literals.text(written) + " */");
                text.lines("private static final Duration " + constant + " = Duration.ofMillis(" + millis + "L);", "");
            }
        });
    }

    void methods(JavaText text) {
        for (String attribute : List.of("namespace", "store")) {
            if (!method.text(attribute).isEmpty()) {
                text.returning("String " + attribute + "()", Literals.text(method.text(attribute)));
            }
        }
        if (!method.text("namespace").isEmpty()) {
            text.returning("boolean sharesKeys()", "true");
        }
        DURATIONS.forEach((attribute, constant) -> {
            if (method.sets(attribute)) {
                text.returning("Duration " + attribute + "()", constant);
            }
        });
        ENUMS.forEach((attribute, type) -> {
            if (method.sets(attribute)) {
                text.returning(type + " " + attribute + "()", type + "." + method.text(attribute));
            }
        });
        flags(text);
        failures(text);
    }

    private void flags(JavaText text) {
        if (method.sets("keyRequired")) {
            text.returning("Boolean keyRequired()", String.valueOf(method.flag("keyRequired")));
        }
        if (method.flag("transactional")) {
            text.returning("boolean transactional()", "true");
        }
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
