package io.idempotency.processor.plan;

import io.idempotency.processor.model.Accessors.State;
import io.idempotency.processor.model.CompilerOptions;
import io.idempotency.processor.model.OperationMethod;
import io.idempotency.processor.model.SourceTrees;
import io.idempotency.processor.model.Subtypes;
import io.micronaut.inject.ast.ClassElement;
import io.micronaut.inject.visitor.VisitorContext;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/** Plans the operations of one compilation. */
public final class Planner {

    /** The processor option that names further types to leave out of fingerprints, separated by commas. */
    public static final String SKIP_OPTION = "micronaut.idempotency.notFingerprinted";

    private final SkippedTypes skipped;
    private final Subtypes subtypes;

    /** Whether a class is one that the author of the operation can change. */
    private final Predicate<ClassElement> own;

    /** Plans with the options of a compilation. */
    public Planner(VisitorContext context) {
        String further = CompilerOptions.of(context).getOrDefault(SKIP_OPTION, "");
        List<String> names = Arrays.stream(further.split(","))
                .map(String::trim)
                .filter(name -> !name.isEmpty())
                .toList();
        this.skipped = new SkippedTypes(names);
        this.subtypes = new Subtypes(context);
        this.own = type -> SourceTrees.contains(type, context);
    }

    /** Plans the methods of one bean's class. */
    public List<Operation> plan(List<OperationMethod> methods) {
        Map<String, State> states = new HashMap<>();
        return methods.stream().map(method -> plan(method, states)).toList();
    }

    private Operation plan(OperationMethod method, Map<String, State> states) {
        ShapePlanner shapes = new ShapePlanner(method.owner().getPackageName(), skipped, subtypes, own, states);
        return new Operation(
                method, KeyPlan.of(method, states), FingerprintPlan.of(method, shapes), ResultPlan.of(method));
    }

    /** Plans what other operations and methods have to match: the result, not the key and the arguments. */
    public Operation outline(OperationMethod method) {
        return new Operation(method, KeyPlan.NONE, FingerprintPlan.NONE, ResultPlan.of(method));
    }
}
