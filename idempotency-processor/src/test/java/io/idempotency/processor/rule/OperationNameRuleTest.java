package io.idempotency.processor.rule;

import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.processor.compile.Payments;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OperationNameRuleTest {

    @ParameterizedTest
    @CsvSource({
        "chargePayment, charge-payment",
        "Charge_Payment, charge-payment",
        "charge.payment, charge-payment",
        "charge--payment, charge-payment",
        "1charge, charge",
        "charge-payment-, charge-payment"
    })
    void aNameThatIsNotKebabCaseIsReportedWithOneThatIs(String name, String kebabCase) {
        assertThat(errors(name))
                .containsExactly("Payments.java:10:22: Payments.pay: the operation's name '" + name
                        + "' is not kebab-case, which it must be as a configuration key and a metric tag. Write '"
                        + kebabCase + "'.");
    }

    @Test
    void aNameOfAHundredCharactersIsTheLongest() {
        assertThat(errors("a".repeat(100))).isEmpty();
        assertThat(errors("a".repeat(101))).singleElement().asString().contains("has 101 characters; 100 are allowed");
    }

    @Test
    void aNamespaceIsKebabCaseToo() {
        assertThat(Payments.errors("@IdempotentOperation(namespace = \"Money\") void pay(String id) {}"))
                .singleElement()
                .asString()
                .contains("the namespace 'Money' is not kebab-case", "Write 'money'.");
    }

    @Test
    void digitsAndSingleWordsAreFine() {
        assertThat(errors("charge")).isEmpty();
        assertThat(errors("charge-v2")).isEmpty();
    }

    private static java.util.List<String> errors(String name) {
        return Payments.errors("@IdempotentOperation(\"" + name + "\") void pay(String id) {}");
    }
}
