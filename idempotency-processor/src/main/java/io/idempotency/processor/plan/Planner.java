package io.idempotency.processor.plan;

import io.idempotency.definition.KeySource;
import io.idempotency.processor.model.Accessors.State;
import io.idempotency.processor.model.CompilerModel;
import io.idempotency.processor.model.OperationMethod;
import io.idempotency.processor.model.Subtypes;
import io.micronaut.inject.visitor.VisitorContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Plans the operations of one compilation. */
public final class Planner {

    /** The processor option that lists more types to leave out of fingerprints, separated by commas. */
    public static final String SKIP_OPTION = "micronaut.idempotency.notFingerprinted";

    private final SkippedTypes skipped;
    private final Subtypes subtypes;

    public Planner(VisitorContext context) {
        String further = CompilerModel.options(context).getOrDefault(SKIP_OPTION, "");
        this.skipped = new SkippedTypes(Stream.of(further.trim().split("\\s*,\\s*"))
                .filter(name -> !name.isEmpty())
                .toList());
        this.subtypes = new Subtypes(context);
    }

    public Operation plan(OperationMethod method, Map<String, State> states) {
        List<Operation.Problem> problems = new ArrayList<>();
        ShapePlanner shapes = new ShapePlanner(method.owner().getPackageName(), skipped, subtypes, states);
        KeyPlan key = KeyPlan.of(method, states);
        return new Operation(method, key, shapes.plan(method, problems), problems, ResultPlan.of(method), states);
    }

    /** Plans the result only, which other methods of the module have to match. */
    public static Operation outline(OperationMethod method, Map<String, State> states) {
        KeyPlan key = KeyPlan.without(KeySource.ARGUMENTS);
        return new Operation(method, key, List.of(), List.of(), ResultPlan.of(method), states);
    }
}
