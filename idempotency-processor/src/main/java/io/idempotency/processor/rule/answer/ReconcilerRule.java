package io.idempotency.processor.rule.answer;

import io.idempotency.OnAbandoned;
import io.idempotency.Reconciliation;
import io.idempotency.definition.Similar;
import io.idempotency.processor.model.BoundType;
import io.idempotency.processor.plan.Operation;
import io.idempotency.processor.plan.ResultPlan;
import io.idempotency.processor.rule.AnsweringMethod;
import io.idempotency.processor.rule.OperationRule;
import io.idempotency.processor.rule.Problems;
import io.idempotency.processor.rule.RuleId;
import io.idempotency.processor.rule.SeenClasses;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** An operation that is reconciled needs a {@code @Reconciles} method of its own parameters and result, and just one. */
public final class ReconcilerRule implements OperationRule {

    private final List<Operation> operations = new ArrayList<>();

    @Override
    public void check(Operation operation, Problems problems) {
        operations.add(operation);
    }

    @Override
    public void finish(SeenClasses compilation, Problems problems) {
        compilation.reconcilers().forEach(reconciler -> asked(reconciler, problems));
        for (Operation operation : operations) {
            List<AnsweringMethod> own = compilation.reconcilers().stream()
                    .filter(reconciler ->
                            reconciler.operation().equals(operation.method().name()))
                    .toList();
            own.forEach(reconciler -> reconciler.check(
                    operation,
                    returned -> isReconciliation(returned, operation.result()),
                    answer(operation),
                    problems));
            if (own.isEmpty() && isReconciled(operation)) {
                problems.reportValue(
                        RuleId.NO_RECONCILER,
                        operation,
                        "onAbandoned",
                        "onAbandoned = RECONCILE, and this module has no @Reconciles(\""
                                + operation.method().name()
                                + "\") method. Unless another module has it, abandoned runs stay in doubt until an"
                                + " operator settles them. Add a bean method "
                                + AnsweringMethod.expected(operation, answer(operation)) + ".");
            }
            AnsweringMethod.requireOne(own, operation, problems);
        }
    }

    private void asked(AnsweringMethod reconciler, Problems problems) {
        Optional<Operation> operation = operations.stream()
                .filter(each -> each.method().name().equals(reconciler.operation()))
                .findFirst();
        if (operation.isEmpty()) {
            reconciler.neverAsked(
                    "no operation of this module has that name."
                            + Similar.didYouMean(reconciler.operation(), names())
                            + " Unless another module has it, this method is never asked.",
                    problems);
        } else if (operation.get().method().sets("onAbandoned") && !isReconciled(operation.get())) {
            reconciler.neverAsked(
                    "the operation says onAbandoned = "
                            + operation.get().method().text("onAbandoned") + ", so this method is never asked. Write"
                            + " RECONCILE there, or remove it.",
                    problems);
        }
    }

    private List<String> names() {
        return operations.stream().map(each -> each.method().name()).toList();
    }

    private static boolean isReconciled(Operation operation) {
        return operation.method().text("onAbandoned").equals(OnAbandoned.RECONCILE.name());
    }

    private static boolean isReconciliation(BoundType returned, ResultPlan result) {
        BoundType answer = ResultPlan.carried(returned).orElse(returned);
        Optional<BoundType> value = answer.is(Reconciliation.class.getName()) ? answer.argument(0) : Optional.empty();
        return value.filter(type -> result.type() == null
                        ? type.is("java.lang.Void")
                        : type.boxedSourceName().equals(result.type().boxedSourceName()))
                .isPresent();
    }

    private static String answer(Operation operation) {
        BoundType type = operation.result().type();
        return "Reconciliation<" + (type == null ? "Void" : type.boxedSourceName()) + ">";
    }
}
