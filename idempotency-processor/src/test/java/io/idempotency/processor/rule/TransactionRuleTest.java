package io.idempotency.processor.rule;

import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.processor.compile.Compilation;
import io.idempotency.processor.compile.Payments;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TransactionRuleTest {

    private static final String TRANSACTIONAL = """
            package io.micronaut.transaction.annotation;
            public @interface Transactional {
                Propagation propagation() default Propagation.REQUIRED;
                boolean readOnly() default false;
                enum Propagation { REQUIRED, REQUIRES_NEW, NOT_SUPPORTED, NEVER, MANDATORY }
            }
            """;
    private static final String JAKARTA = """
            package jakarta.transaction;
            public @interface Transactional {
                TxType value() default TxType.REQUIRED;
                enum TxType { REQUIRED, REQUIRES_NEW, NOT_SUPPORTED, NEVER, MANDATORY }
            }
            """;

    @Test
    void proceedingWithoutTheStoreIsReported() {
        assertThat(Payments.errors("@IdempotentOperation(transactional = true, onStoreFailure = OnStoreFailure.PROCEED)"
                        + " void pay(String id) {}"))
                .singleElement()
                .asString()
                .contains("transactional = true with onStoreFailure = PROCEED");
        assertThat(Payments.errors("@IdempotentOperation(transactional = true, onStoreFailure = OnStoreFailure.FAIL)"
                        + " void pay(String id) {}"))
                .isEmpty();
    }

    @Test
    void nothingIsReconciledAfterARollBack() {
        assertThat(
                        Payments.errors(
                                "@IdempotentOperation(value = \"pay\", transactional = true, onAbandoned ="
                                        + " OnAbandoned.RECONCILE) void pay(String id) {}\n"
                                        + "@Reconciles(\"pay\") Reconciliation<Void> paid(String id) { return Reconciliation.absent(); }"))
                .singleElement()
                .asString()
                .startsWith("Payments.java:10:")
                .contains("transactional = true with onAbandoned = RECONCILE", "Leave onAbandoned out");
        assertThat(Payments.errors("@IdempotentOperation(transactional = true, onAbandoned = OnAbandoned.REFUSE)"
                        + " void pay(String id) {}"))
                .isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"CompletionStage<String>", "reactor.core.publisher.Mono<String>"})
    void anAsynchronousResultOutlivesTheTransaction(String type) {
        assertThat(Payments.errors(
                        "@IdempotentOperation(transactional = true) " + type + " pay(String id) { return null; }"))
                .singleElement()
                .asString()
                .startsWith("Payments.java:10:")
                .contains("the transaction would end before the body does");
    }

    @Test
    void aSuspendFunctionOutlivesTheTransaction() {
        assertThat(Payments.compileKotlin("@IdempotentOperation(transactional = true) Object pay(String id,"
                                + " suspend<? super String> completion) { return null; }")
                        .errors())
                .singleElement()
                .asString()
                .startsWith("Payments.java:10:")
                .contains("transactional = true on a suspend function", "Make it a plain function");
    }

    @ParameterizedTest
    @ValueSource(strings = {"REQUIRES_NEW", "NOT_SUPPORTED", "NEVER"})
    void aTransactionApartFromTheRecordsIsReported(String propagation) {
        assertThat(errors("@io.micronaut.transaction.annotation.Transactional(propagation ="
                        + " io.micronaut.transaction.annotation.Transactional.Propagation." + propagation + ")"))
                .singleElement()
                .asString()
                .contains("@Transactional(" + propagation + ")", "Remove the propagation");
        assertThat(errors("@jakarta.transaction.Transactional(jakarta.transaction.Transactional.TxType." + propagation
                        + ")"))
                .singleElement()
                .asString()
                .contains("@Transactional(" + propagation + ")");
    }

    @Test
    void aReadOnlyTransactionCannotHoldTheRecord() {
        assertThat(errors("@io.micronaut.transaction.annotation.Transactional(readOnly = true)"))
                .singleElement()
                .asString()
                .contains("read-only");
    }

    @Test
    void aStoreElsewhereIsNoPartOfTheTransaction() {
        assertThat(Payments.errors(
                        "@IdempotentOperation(transactional = true, store = \"redis\") void pay(String id) {}"))
                .singleElement()
                .asString()
                .contains("store = \"redis\"", "Write store = \"jdbc\"");
        assertThat(Payments.errors(
                        "@IdempotentOperation(transactional = true, store = \"jdbc\") void pay(String id) {}"))
                .isEmpty();
    }

    @Test
    void joiningTheTransactionIsFine() {
        assertThat(errors("")).isEmpty();
        assertThat(errors("@io.micronaut.transaction.annotation.Transactional")).isEmpty();
        assertThat(errors("@jakarta.transaction.Transactional(jakarta.transaction.Transactional.TxType.MANDATORY)"))
                .isEmpty();
    }

    @Test
    void withoutTransactionalTheTransactionIsTheBodysOwn() {
        assertThat(Payments.errors("@IdempotentOperation CompletionStage<String> pay(String id) { return null; }"))
                .isEmpty();
    }

    private static List<String> errors(String annotation) {
        String bean = Payments.with(annotation + " @IdempotentOperation(transactional = true) void pay(String id) {}");
        return Compilation.of(bean, TRANSACTIONAL, JAKARTA).errors();
    }
}
