package io.idempotency.processor.rule;

import io.idempotency.processor.model.BoundType;
import io.idempotency.processor.model.OperationMethod;
import io.idempotency.processor.model.OperationParameter;
import io.idempotency.processor.model.TypeBinding;
import io.idempotency.processor.plan.Operation;
import io.micronaut.inject.ast.ClassElement;
import io.micronaut.inject.ast.MethodElement;
import io.micronaut.inject.ast.ParameterElement;
import java.lang.annotation.Annotation;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * A bean method that answers for an operation: it takes the operation's parameters.
 *
 * @param annotation its annotation
 * @param operation the operation's name
 * @param owner the bean
 * @param method the method
 */
public record AnsweringMethod(
        Class<? extends Annotation> annotation, String operation, ClassElement owner, MethodElement method) {

    /** How messages name it. */
    public String text() {
        return "@" + annotation.getSimpleName() + "(\"" + operation + "\")";
    }

    /** Reports that nothing calls it. */
    public void neverAsked(String why, Problems problems) {
        problems.reportValue(RuleId.NEVER_ASKED, method, annotation, "value", text() + ": " + why);
    }

    /** With several it is not known which one to ask. */
    public static void requireOne(List<AnsweringMethod> own, Operation operation, Problems problems) {
        own.stream()
                .skip(1)
                .forEach(second -> problems.report(
                        RuleId.ANSWERING_METHOD,
                        operation,
                        "a second " + second.text() + " method; the first is "
                                + own.get(0).owner().getCanonicalName() + "."
                                + own.get(0).method().getName()
                                + ". Nobody could say which one to believe: keep one.",
                        second.method()));
    }

    /** Reports what keeps it from being called, or from answering for the operation. */
    public void check(Operation operation, Predicate<BoundType> answers, String returning, Problems problems) {
        if (method.isPrivate() || method.isStatic()) {
            problems.report(
                    RuleId.ANSWERING_METHOD,
                    operation,
                    "its @" + annotation.getSimpleName()
                            + " method cannot be called because it is private or static. Make it an"
                            + " instance method that is at least package-private.",
                    method);
        }
        if (method.isSuspend()) {
            problems.report(
                    RuleId.ANSWERING_METHOD,
                    operation,
                    "its @" + annotation.getSimpleName()
                            + " method is a suspend function, and nothing would resume it. Make it a plain"
                            + " function, which may return a CompletionStage.",
                    method);
        }
        Map<String, BoundType> scope = TypeBinding.bind(owner, Map.of()).scopeOf(method.getDeclaringType());
        List<String> parameters = Stream.of(method.getParameters())
                .map(ParameterElement::getGenericType)
                .map(type -> TypeBinding.bind(type, scope).sourceName())
                .toList();
        BoundType returned = TypeBinding.bind(method.getGenericReturnType(), scope);
        if (!parameters.equals(parameters(operation.method())) || !answers.test(returned)) {
            problems.report(
                    RuleId.ANSWERING_METHOD,
                    operation,
                    "its @" + annotation.getSimpleName() + " method does not match. Declare it as "
                            + expected(operation, returning) + ", or asynchronously as CompletionStage of that.",
                    method);
        }
    }

    /** The signature that fits. */
    public static String expected(Operation operation, String returning) {
        return returning + " name(" + String.join(", ", parameters(operation.method())) + ")";
    }

    private static List<String> parameters(OperationMethod method) {
        return method.parameters().stream()
                .map(OperationParameter::type)
                .map(BoundType::sourceName)
                .toList();
    }
}
