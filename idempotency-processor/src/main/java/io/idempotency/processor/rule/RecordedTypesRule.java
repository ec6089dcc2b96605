package io.idempotency.processor.rule;

import io.idempotency.processor.model.BoundType;
import io.idempotency.processor.model.RuleId;
import io.idempotency.processor.model.Subtypes;
import io.idempotency.processor.plan.Operation;
import io.micronaut.inject.visitor.VisitorContext;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Reports result types that lose data or cannot be recorded. A subclass would lose its additions; one of another module
 * is noticed when a value is recorded. Without Micronaut Serialization for every type, recording fails after the body
 * ran; a type from elsewhere, which a {@code @SerdeImport} or a serializer bean may know, is a warning.
 */
record RecordedTypesRule(boolean serdeIsPresent, Subtypes subtypes) implements OperationRule {

    private static final String SERDEABLE = "io.micronaut.serde.annotation.Serdeable";
    private static final List<String> HALVES = List.of(SERDEABLE + "$Serializable", SERDEABLE + "$Deserializable");
    private static final List<String> KNOWN_PACKAGES =
            List.of("java.", "javax.", "kotlin.", "io.micronaut.", "reactor.");
    private static final String IMPORTS = "io.micronaut.serde.annotation.SerdeImport";

    RecordedTypesRule(VisitorContext context) {
        this(context.getClassElement(SERDEABLE).isPresent(), new Subtypes(context));
    }

    @Override
    public void finish(List<Operation> operations, SeenClasses compilation, Problems problems) {
        Set<String> reported = new HashSet<>();
        for (Operation operation : operations) {
            ResultGraph graph = new ResultGraph(operation, subtypes);
            graph.extensible.forEach(type -> subclassed(type, operation, compilation, problems));
            graph.classes.stream()
                    .filter(type -> serdeIsPresent && !isKnown(type, operation) && reported.add(type.name()))
                    .forEach(type -> unknown(type.name(), operation, compilation, problems));
        }
    }

    private static void subclassed(BoundType type, Operation operation, SeenClasses compilation, Problems problems) {
        Set<String> subclasses = compilation.subclasses(type.name());
        if (!subclasses.isEmpty()) {
            ReplayableResultRule.report(
                    RuleId.INEXACT_RESULT,
                    operation,
                    type.erasure() + " has the subclasses " + String.join(", ", subclasses)
                            + ", and nothing in the JSON says which one it was: a duplicate would get "
                            + type.erasure() + " without what they add. " + ResultGraph.DISCRIMINATOR
                            + ", or make the class final",
                    problems);
        }
    }

    private static void unknown(String type, Operation operation, SeenClasses compilation, Problems problems) {
        boolean here = compilation.contains(type);
        problems.of(here ? RuleId.UNSERIALIZABLE_RESULT : RuleId.UNKNOWN_SERIALIZER, operation)
                .say("the result holds " + type.replace('$', '.') + ", which Micronaut Serialization does not know,"
                        + " so recording it would fail when the body has already run. Add @Serdeable to it"
                        + (here ? "." : ", or ignore this if a @SerdeImport or a Serde bean knows it."));
    }

    private static boolean isKnown(BoundType type, Operation operation) {
        return KNOWN_PACKAGES.stream().anyMatch(type.name()::startsWith)
                || type.element().hasStereotype(SERDEABLE)
                || HALVES.stream().allMatch(type.element()::hasStereotype)
                || operation.method().owner().getAnnotationValuesByName(IMPORTS).stream()
                        .flatMap(imported -> imported.stringValue().stream())
                        .anyMatch(type.name()::equals);
    }
}
