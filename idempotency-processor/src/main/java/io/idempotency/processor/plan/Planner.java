package io.idempotency.processor.plan;

import io.idempotency.definition.KeySource;
import io.idempotency.processor.model.Accessors.State;
import io.idempotency.processor.model.CompilerModel;
import io.idempotency.processor.model.OperationMethod;
import io.idempotency.processor.model.Subtypes;
import io.micronaut.inject.visitor.VisitorContext;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Plans the operations of one compilation. */
public final class Planner {

    /** The processor option that names further types to leave out of fingerprints, separated by commas. */
    public static final String SKIP_OPTION = "micronaut.idempotency.notFingerprinted";

    private final SkippedTypes skipped;
    private final Subtypes subtypes;

    public Planner(VisitorContext context) {
        String further = CompilerModel.options(context).getOrDefault(SKIP_OPTION, "");
        this.skipped = new SkippedTypes(Arrays.stream(further.split(","))
                .map(String::trim)
                .filter(name -> !name.isEmpty())
                .toList());
        this.subtypes = new Subtypes(context);
    }

    public List<Operation> plan(List<OperationMethod> methods) {
        Map<String, State> states = new HashMap<>();
        return methods.stream().map(method -> plan(method, states)).toList();
    }

    private Operation plan(OperationMethod method, Map<String, State> states) {
        ShapePlanner shapes = new ShapePlanner(method.owner().getPackageName(), skipped, subtypes, states);
        return new Operation(
                method, KeyPlan.of(method, states), FingerprintPlan.of(method, shapes), ResultPlan.of(method));
    }

    /** Plans what other operations and methods have to match: the result, not the key and the arguments. */
    public static Operation outline(OperationMethod method) {
        return new Operation(method, KeyPlan.without(KeySource.ARGUMENTS), FingerprintPlan.NONE, ResultPlan.of(method));
    }
}
