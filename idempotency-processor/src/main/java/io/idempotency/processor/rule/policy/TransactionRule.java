package io.idempotency.processor.rule.policy;

import io.idempotency.OnAbandoned;
import io.idempotency.OnStoreFailure;
import io.idempotency.processor.model.OperationMethod;
import io.idempotency.processor.plan.Operation;
import io.idempotency.processor.rule.OperationRule;
import io.idempotency.processor.rule.Problems;
import io.idempotency.processor.rule.RuleId;
import io.micronaut.core.annotation.AnnotationMetadata;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** With {@code transactional = true} the body must run in the transaction that holds the record. */
public final class TransactionRule implements OperationRule {

    private static final Set<String> APART = Set.of("REQUIRES_NEW", "NOT_SUPPORTED", "NEVER");
    private static final Set<String> ELSEWHERE = Set.of("redis", "memory");
    private static final String MICRONAUT = "io.micronaut.transaction.annotation.Transactional";

    private static final List<String> PROPAGATION =
            List.of(MICRONAUT, "io.micronaut.transaction.annotation.TransactionalAdvice");

    private static final List<String> TX_TYPE =
            List.of("jakarta.transaction.Transactional", "javax.transaction.Transactional");

    @Override
    public void check(Operation operation, Problems problems) {
        if (operation.method().flag("transactional")) {
            Stream.of(attributes(operation.method()), body(operation), surroundings(operation.method()))
                    .flatMap(each -> each)
                    .forEach(why -> problems.reportValue(
                            RuleId.TRANSACTION, operation, "transactional", "transactional = true " + why));
        }
    }

    /** What the annotation says beside it. */
    private static Stream<String> attributes(OperationMethod method) {
        Stream.Builder<String> found = Stream.builder();
        if (ELSEWHERE.contains(method.text("store"))) {
            found.add("with store = \"" + method.text("store") + "\", which has no part in the body's database"
                    + " transaction. Write store = \"jdbc\", or leave transactional out.");
        }
        if (method.text("onStoreFailure").equals(OnStoreFailure.PROCEED.name())) {
            found.add("with onStoreFailure = PROCEED: when the record's database is away, so is the body's. Leave"
                    + " onStoreFailure out, or leave transactional out.");
        }
        if (method.text("onAbandoned").equals(OnAbandoned.RECONCILE.name())) {
            found.add(
                    "with onAbandoned = RECONCILE: a crash rolls back the record and the body's writes together, and a"
                            + " transaction asks no reconciler. Leave onAbandoned out, or leave transactional out.");
        }
        return found.build();
    }

    private static Stream<String> body(Operation operation) {
        Stream.Builder<String> found = Stream.builder();
        if (operation.result().isAsynchronous()) {
            found.add("with the asynchronous result "
                    + operation.method().returnType().sourceName()
                    + ": the transaction would end before the body does. Return the value itself, or leave transactional"
                    + " out.");
        }
        if (operation.method().method().isSuspend()) {
            found.add("on a suspend function: the transaction would end where the body first suspends. Make it a plain"
                    + " function, or leave transactional out.");
        }
        return found.build();
    }

    /** The transaction that the method itself asks for. */
    private static Stream<String> surroundings(OperationMethod method) {
        AnnotationMetadata annotations = method.method().getAnnotationMetadata();
        Stream<String> apart = propagation(annotations).filter(APART::contains).stream()
                .map(propagation ->
                        "with @Transactional(" + propagation + "): the body would not run in the transaction"
                                + " that holds the record, so a crash could leave one without the other. Remove the propagation,"
                                + " or leave transactional out.");
        return isReadOnly(annotations)
                ? Stream.concat(
                        apart,
                        Stream.of(
                                "with a read-only transaction: the record cannot be written in it. Remove readOnly, or"
                                        + " leave transactional out."))
                : apart;
    }

    private static Optional<String> propagation(AnnotationMetadata annotations) {
        return Stream.concat(
                        PROPAGATION.stream().flatMap(name -> annotations.stringValue(name, "propagation").stream()),
                        TX_TYPE.stream().flatMap(name -> annotations.stringValue(name).stream()))
                .findFirst();
    }

    private static boolean isReadOnly(AnnotationMetadata annotations) {
        return annotations.booleanValue(MICRONAUT, "readOnly").orElse(false);
    }
}
