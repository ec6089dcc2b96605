package io.idempotency.processor.rule;

import io.idempotency.OnAbandoned;
import io.idempotency.Reconciles;
import io.idempotency.Reconciliation;
import io.idempotency.Reloads;
import io.idempotency.definition.Similar;
import io.idempotency.processor.model.BoundType;
import io.idempotency.processor.model.RuleId;
import io.idempotency.processor.plan.Operation;
import io.idempotency.processor.plan.ResultPlan;
import io.idempotency.processor.rule.SeenClasses.AnsweringMethod;
import io.micronaut.inject.ast.MethodElement;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** Requires that a {@code @Reconciles} or {@code @Reloads} method is a bean's, fits its operation, and is unique. */
final class AnsweringRule implements OperationRule {

    @Override
    public void finish(List<Operation> operations, SeenClasses compilation, Problems problems) {
        // only methods of beans are called, and Micronaut does not know those of a factory's product
        compilation
                .answeringOutsideBeans()
                .forEach(method -> neverAsked(
                        method,
                        BoundType.simpleName(method.owner())
                                + " is no bean, or only as the product of a @Factory, whose methods cannot be found."
                                + " This method is never asked. Add a scope to the class, for instance @Singleton.",
                        problems));
        for (var annotation : List.of(Reconciles.class, Reloads.class)) {
            List<AnsweringMethod> methods = compilation.answering(annotation);
            methods.forEach(method -> asked(method, operations, problems));
            operations.forEach(operation -> answered(operation, methods, annotation == Reconciles.class, problems));
        }
    }

    private static void neverAsked(AnsweringMethod method, String why, Problems problems) {
        problems.of(RuleId.NEVER_ASKED, method.method())
                .at(method.annotation(), "value")
                .say(text(method) + ": " + why);
    }

    private static void asked(AnsweringMethod method, List<Operation> operations, Problems problems) {
        Optional<Operation> operation = operations.stream()
                .filter(each -> each.method().name().equals(method.operation()))
                .findFirst();
        if (operation.isEmpty()) {
            List<String> names =
                    operations.stream().map(each -> each.method().name()).toList();
            neverAsked(
                    method,
                    "no operation of this module has that name." + Similar.didYouMean(method.operation(), names)
                            + " Unless another module has it, this method is never asked.",
                    problems);
        } else if (method.annotation() == Reconciles.class
                && operation.get().method().sets("onAbandoned")
                && !isReconciled(operation.get())) {
            neverAsked(
                    method,
                    "the operation says onAbandoned = "
                            + operation.get().method().text("onAbandoned")
                            + ", so this method is never asked. Write RECONCILE there, or remove it.",
                    problems);
        }
    }

    private static void answered(
            Operation operation, List<AnsweringMethod> methods, boolean reconciles, Problems problems) {
        List<AnsweringMethod> own = methods.stream()
                .filter(method -> method.operation().equals(operation.method().name()))
                .toList();
        own.forEach(method -> check(method, operation, problems));
        if (reconciles && own.isEmpty() && isReconciled(operation)) {
            problems.of(RuleId.NO_RECONCILER, operation, "onAbandoned")
                    .say("onAbandoned = RECONCILE, and this module has no @Reconciles(\""
                            + operation.method().name()
                            + "\") method. Unless another module has it, abandoned runs stay in doubt until an operator"
                            + " settles them. Add a bean method " + expected(operation, true) + ".");
        }
        own.stream()
                .skip(1)
                .forEach(second -> problems.of(RuleId.ANSWERING_METHOD, operation)
                        .at(second.method())
                        .say("a second " + text(second) + " method; the first is "
                                + own.get(0).owner().getCanonicalName() + "."
                                + own.get(0).method().getName()
                                + ". Nobody could say which one to believe: keep one."));
    }

    /** Reports why a method cannot be called, or does not fit the operation. */
    private static void check(AnsweringMethod answering, Operation operation, Problems problems) {
        boolean reconciles = answering.annotation() == Reconciles.class;
        MethodElement method = answering.method();
        String name = "its @" + answering.annotation().getSimpleName() + " method ";
        Problems.Report report = problems.of(RuleId.ANSWERING_METHOD, operation).at(method);
        if (!reconciles && operation.result().type() == null) {
            report.say("it has no result, so there is nothing to reload. Remove its @Reloads method.");
            return;
        }
        if (method.isPrivate() || method.isStatic()) {
            report.say(name
                    + "cannot be called because it is private or static. Make it an instance method that is at least"
                    + " package-private.");
        }
        if (method.isSuspend()) {
            report.say(name
                    + "is a suspend function, and nothing would resume it. Make it a plain function, which may return"
                    + " a CompletionStage.");
        }
        Map<String, BoundType> scope = BoundType.of(answering.owner(), Map.of()).scopeOf(method.getDeclaringType());
        List<String> parameters = Stream.of(method.getParameters())
                .map(parameter ->
                        BoundType.of(parameter.getGenericType(), scope).sourceName())
                .toList();
        BoundType returned = BoundType.of(method.getGenericReturnType(), scope);
        BoundType value = ResultPlan.carried(returned).orElse(returned);
        boolean answers = Optional.of(value)
                .filter(it -> !reconciles || it.is(Reconciliation.class.getName()))
                .flatMap(it -> reconciles ? it.argument(0) : Optional.of(it))
                .filter(it -> it.boxedSourceName().equals(recorded(operation, "java.lang.Void")))
                .isPresent();
        if (!answers || !parameters.equals(parameters(operation))) {
            report.say(name + "does not match. Declare it as " + expected(operation, reconciles)
                    + ", or asynchronously as CompletionStage of that.");
        }
    }

    private static String recorded(Operation operation, String nothing) {
        BoundType type = operation.result().type();
        return type == null ? nothing : type.boxedSourceName();
    }

    private static boolean isReconciled(Operation operation) {
        return operation.method().text("onAbandoned").equals(OnAbandoned.RECONCILE.name());
    }

    private static String expected(Operation operation, boolean reconciles) {
        BoundType type = operation.result().type();
        String returned =
                reconciles || type == null ? "Reconciliation<" + recorded(operation, "Void") + ">" : type.sourceName();
        return returned + " name(" + String.join(", ", parameters(operation)) + ")";
    }

    private static List<String> parameters(Operation operation) {
        return operation.method().parameters().stream()
                .map(parameter -> parameter.type().sourceName())
                .toList();
    }

    /** Returns the method's annotation as its name in messages. */
    private static String text(AnsweringMethod method) {
        return "@" + method.annotation().getSimpleName() + "(\"" + method.operation() + "\")";
    }
}
