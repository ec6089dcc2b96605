package io.idempotency.processor.rule.result;

import io.idempotency.processor.model.BoundType;
import io.idempotency.processor.model.OperationMethod;
import io.idempotency.processor.plan.Operation;
import io.idempotency.processor.plan.ResultPlan;
import io.idempotency.processor.rule.OperationRule;
import io.idempotency.processor.rule.Problems;
import io.idempotency.processor.rule.RuleId;
import io.idempotency.processor.rule.SeenClasses;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * With Micronaut Serialization, every type of a result must be known to it; otherwise recording fails when the body has
 * already run. A type of this compilation stops it; one from elsewhere, which a {@code @SerdeImport} or a serializer
 * bean may know, is a warning.
 */
public final class SerializableResultRule implements OperationRule {

    /** The annotation whose presence on the class path decides. */
    public static final String MARKER = "io.micronaut.serde.annotation.Serdeable";

    private static final List<String> HALVES = List.of(MARKER + "$Serializable", MARKER + "$Deserializable");
    private static final String IMPORTS = "io.micronaut.serde.annotation.SerdeImport";
    private static final List<String> KNOWN_PACKAGES =
            List.of("java.", "javax.", "kotlin.", "io.micronaut.", "reactor.");

    private final boolean serdeIsPresent;
    private final ResultStates states = new ResultStates();
    private final Map<String, Operation> unknown = new LinkedHashMap<>();

    /** For a compilation with or without Micronaut Serialization on its class path. */
    public SerializableResultRule(boolean serdeIsPresent) {
        this.serdeIsPresent = serdeIsPresent;
    }

    @Override
    public void check(Operation operation, Problems problems) {
        ResultPlan result = operation.result();
        if (serdeIsPresent && result.type() != null) {
            List<BoundType> found = new ArrayList<>();
            collect(result.type(), operation.method(), 0, new HashSet<>(), found);
            found.stream()
                    .filter(type -> !isImported(operation, type.name()))
                    .forEach(type -> unknown.putIfAbsent(type.name(), operation));
        }
    }

    @Override
    public void finish(SeenClasses compilation, Problems problems) {
        unknown.forEach((type, operation) -> {
            String message =
                    "the result holds " + type.replace('$', '.') + ", which Micronaut Serialization does not know,"
                            + " so recording it would fail when the body has already run. Add @Serdeable to it"
                            + (compilation.contains(type)
                                    ? "."
                                    : ", or ignore this if a @SerdeImport or a Serde bean knows it.");
            if (compilation.contains(type)) {
                problems.report(RuleId.UNSERIALIZABLE_RESULT, operation, message);
            } else {
                problems.report(RuleId.UNKNOWN_SERIALIZER, operation, message);
            }
        });
    }

    /** Whether it came to an end; a type without one is another rule's to report. */
    private boolean collect(
            BoundType type, OperationMethod method, int depth, Set<String> seen, List<BoundType> found) {
        if (type.component() != null) {
            return collect(type.component(), method, depth, seen, found);
        }
        if (type.isPrimitive() || !seen.add(type.sourceName())) {
            return true;
        }
        if (depth == BoundType.MAX_DEPTH
                || !type.arguments().values().stream()
                        .allMatch(argument -> collect(argument, method, depth + 1, seen, found))) {
            return false;
        }
        if (KNOWN_PACKAGES.stream().anyMatch(type.name()::startsWith)
                || type.element().isEnum()) {
            return true;
        }
        if (!isSerdeable(type)) {
            found.add(type);
        }
        return states.of(type, method).readable().stream()
                .allMatch(each -> collect(each.type(), method, depth + 1, seen, found));
    }

    private static boolean isSerdeable(BoundType type) {
        return type.element().hasStereotype(MARKER) || HALVES.stream().allMatch(type.element()::hasStereotype);
    }

    private static boolean isImported(Operation operation, String type) {
        return operation.method().owner().getAnnotationValuesByName(IMPORTS).stream()
                .anyMatch(
                        imported -> imported.stringValue().filter(type::equals).isPresent());
    }
}
