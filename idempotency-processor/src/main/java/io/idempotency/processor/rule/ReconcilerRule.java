package io.idempotency.processor.rule;

import io.idempotency.OnAbandoned;
import io.idempotency.Reconciliation;
import io.idempotency.processor.model.BoundType;
import io.idempotency.processor.model.OperationMethod;
import io.idempotency.processor.model.OperationParameter;
import io.idempotency.processor.model.TypeBinding;
import io.idempotency.processor.plan.Operation;
import io.idempotency.processor.plan.ResultPlan;
import io.idempotency.processor.rule.SeenClasses.Reconciler;
import io.micronaut.inject.ast.ParameterElement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

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
            List<Reconciler> own = compilation.reconcilers().stream()
                    .filter(reconciler ->
                            reconciler.operation().equals(operation.method().name()))
                    .toList();
            own.forEach(reconciler -> matches(operation, reconciler, problems));
            if (own.isEmpty() && isReconciled(operation)) {
                problems.warning(
                        operation,
                        "onAbandoned = RECONCILE, and this module has no @Reconciles(\""
                                + operation.method().name()
                                + "\") method. Unless another module has it, abandoned runs stay in doubt until an"
                                + " operator settles them. Add a bean method " + expected(operation) + ".");
            }
            own.stream()
                    .skip(1)
                    .forEach(second -> problems.error(
                            operation,
                            "a second @Reconciles(\"" + operation.method().name() + "\") method; the first is "
                                    + own.get(0).owner().getCanonicalName() + "."
                                    + own.get(0).method().getName()
                                    + ". Nobody could say which one to believe: keep one.",
                            second.method()));
        }
    }

    private void asked(Reconciler reconciler, Problems problems) {
        Optional<Operation> operation = operations.stream()
                .filter(each -> each.method().name().equals(reconciler.operation()))
                .findFirst();
        if (operation.isEmpty()) {
            problems.warning(
                    "@Reconciles(\"" + reconciler.operation() + "\"): no operation of this module has that name. Unless"
                            + " another module has it, this method is never asked.",
                    reconciler.method());
        } else if (operation.get().method().sets("onAbandoned") && !isReconciled(operation.get())) {
            problems.warning(
                    "@Reconciles(\"" + reconciler.operation() + "\"): the operation says onAbandoned = "
                            + operation.get().method().text("onAbandoned") + ", so this method is never asked. Write"
                            + " RECONCILE there, or remove it.",
                    reconciler.method());
        }
    }

    private static boolean isReconciled(Operation operation) {
        return operation.method().text("onAbandoned").equals(OnAbandoned.RECONCILE.name());
    }

    private static void matches(Operation operation, Reconciler reconciler, Problems problems) {
        Map<String, BoundType> scope = TypeBinding.bind(reconciler.owner(), Map.of())
                .scopeOf(reconciler.method().getDeclaringType());
        List<String> parameters = Stream.of(reconciler.method().getParameters())
                .map(ParameterElement::getGenericType)
                .map(type -> TypeBinding.bind(type, scope).sourceName())
                .toList();
        if (reconciler.method().isPrivate() || reconciler.method().isStatic()) {
            problems.error(
                    operation,
                    "its @Reconciles method cannot be called because it is private or static. Make it an"
                            + " instance method that is at least package-private.",
                    reconciler.method());
        }
        BoundType returned = TypeBinding.bind(reconciler.method().getGenericReturnType(), scope);
        if (!parameters.equals(parameters(operation.method())) || !isReconciliation(returned, operation.result())) {
            problems.error(
                    operation,
                    "its @Reconciles method does not match. Declare it as " + expected(operation)
                            + ", or asynchronously as CompletionStage of that.",
                    reconciler.method());
        }
    }

    private static boolean isReconciliation(BoundType returned, ResultPlan result) {
        BoundType answer = ResultPlan.carried(returned).orElse(returned);
        Optional<BoundType> value = answer.is(Reconciliation.class.getName()) ? answer.argument(0) : Optional.empty();
        return value.filter(type -> result.type() == null
                        ? type.is("java.lang.Void")
                        : type.boxedSourceName().equals(result.type().boxedSourceName()))
                .isPresent();
    }

    private static List<String> parameters(OperationMethod method) {
        return method.parameters().stream()
                .map(OperationParameter::type)
                .map(BoundType::sourceName)
                .toList();
    }

    private static String expected(Operation operation) {
        BoundType type = operation.result().type();
        return "Reconciliation<" + (type == null ? "Void" : type.boxedSourceName()) + "> name("
                + String.join(", ", parameters(operation.method())) + ")";
    }
}
