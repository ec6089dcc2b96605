package io.idempotency.processor.rule;

import io.idempotency.OnAbandoned;
import io.idempotency.OnStoreFailure;
import io.idempotency.processor.model.OperationMethod;
import io.idempotency.processor.model.RuleId;
import io.idempotency.processor.plan.Operation;
import io.micronaut.inject.ast.MethodElement;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** Requires that a body with {@code transactional = true} runs in the transaction that holds the record. */
final class TransactionRule implements OperationRule {

    private static final Set<String> APART = Set.of("REQUIRES_NEW", "NOT_SUPPORTED", "NEVER");
    private static final Set<String> ELSEWHERE = Set.of("redis", "memory");
    private static final String MICRONAUT = "io.micronaut.transaction.annotation.Transactional";
    private static final List<String> PROPAGATION =
            List.of(MICRONAUT, "io.micronaut.transaction.annotation.TransactionalAdvice");
    private static final List<String> TX_TYPE =
            List.of("jakarta.transaction.Transactional", "javax.transaction.Transactional");

    @Override
    public void check(Operation operation, Problems problems) {
        if (operation.method().flag("transactional", false)) {
            Problems.Report report = problems.of(RuleId.TRANSACTION, operation, "transactional");
            Consumer<String> found = why -> report.say("transactional = true " + why);
            attributes(operation.method(), found);
            body(operation, found);
            surroundings(operation.method().method(), found);
        }
    }

    private static void attributes(OperationMethod method, Consumer<String> found) {
        if (ELSEWHERE.contains(method.text("store"))) {
            found.accept("with store = \"" + method.text("store") + "\", which has no part in the body's database"
                    + " transaction. Write store = \"jdbc\", or leave transactional out.");
        }
        if (method.text("onStoreFailure").equals(OnStoreFailure.PROCEED.name())) {
            found.accept("with onStoreFailure = PROCEED: when the record's database is away, so is the body's. Leave"
                    + " onStoreFailure out, or leave transactional out.");
        }
        if (method.text("onAbandoned").equals(OnAbandoned.RECONCILE.name())) {
            found.accept(
                    "with onAbandoned = RECONCILE: a crash rolls back the record and the body's writes together, and a"
                            + " transaction asks no reconciler. Leave onAbandoned out, or leave transactional out.");
        }
    }

    private static void body(Operation operation, Consumer<String> found) {
        if (operation.result().carrier() != null) {
            found.accept("with the asynchronous result "
                    + operation.method().returnType().sourceName()
                    + ": the transaction would end before the body does. Return the value itself, or leave transactional"
                    + " out.");
        }
        if (operation.method().method().isSuspend()) {
            found.accept(
                    "on a suspend function: the transaction would end where the body first suspends. Make it a plain"
                            + " function, or leave transactional out.");
        }
    }

    /** Checks the transaction that the method itself asks for. */
    private static void surroundings(MethodElement method, Consumer<String> found) {
        Stream.concat(
                        PROPAGATION.stream().flatMap(name -> method.stringValue(name, "propagation").stream()),
                        TX_TYPE.stream().flatMap(name -> method.stringValue(name).stream()))
                .findFirst()
                .filter(APART::contains)
                .ifPresent(propagation ->
                        found.accept("with @Transactional(" + propagation + "): the body would not run in the"
                                + " transaction that holds the record, so a crash could leave one without the other. Remove the"
                                + " propagation, or leave transactional out."));
        if (method.booleanValue(MICRONAUT, "readOnly").orElse(false)) {
            found.accept("with a read-only transaction: the record cannot be written in it. Remove readOnly, or leave"
                    + " transactional out.");
        }
    }
}
