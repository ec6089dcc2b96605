package io.idempotency.processor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import io.idempotency.IdempotentOperation;
import io.idempotency.definition.KeySource;
import io.idempotency.definition.OperationDefinition;
import io.idempotency.processor.compile.Payments;
import java.io.IOException;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class PoliciesTest {

    @Test
    void whatIsLeftOutIsLeftToTheConfiguration() {
        OperationDefinition definition = Payments.load("@IdempotentOperation(\"pay\") void pay(String id) {}")
                .definition();

        assertThat(definition.name()).isEqualTo("pay");
        assertThat(definition.namespace()).isEqualTo("pay");
        assertThat(definition.attributes()).isEmpty();
        assertThat(definition.noEffectFor()).isEmpty();
        assertThat(definition.finalFor()).isEmpty();
        assertThat(definition.unknownFor()).isEmpty();
        assertThat(definition.transactional()).isFalse();
        assertThat(definition.origin()).isEqualTo("demo.Payments.pay(java.lang.String)");
    }

    @Test
    void whatIsSetIsThereEvenWhereItIsTheDefault() {
        OperationDefinition definition = Payments.load("""
                @SuppressWarnings("idempotency:nothingReads")
                @IdempotentOperation(value = "pay", namespace = "money", store = "jdbc", retention = "24h", lease = "30s",
                    waitTimeout = "10s", keyRequired = true, whenInProgress = WhenInProgress.REJECT,
                    onFailure = OnFailure.RELEASE, onAbandoned = OnAbandoned.TAKE_OVER, transactional = true,
                    otherCallers = OtherCallers.DEFAULT, onStoreFailure = OnStoreFailure.FAIL,
                    noEffectFor = {Declined.class, IllegalArgumentException.class},
                    finalFor = java.io.IOException.class, unknownFor = IllegalStateException.class)
                void pay(String id) {}
                static class Declined extends RuntimeException { private static final long serialVersionUID = 1; }
                """).definition();

        assertThat(definition.namespace()).isEqualTo("money");
        assertThat(definition.attributes())
                .containsOnly(
                        entry("store", "jdbc"),
                        entry("retention", "PT24H"),
                        entry("lease", "PT30S"),
                        entry("waitTimeout", "PT10S"),
                        entry("keyRequired", "true"),
                        entry("whenInProgress", "REJECT"),
                        entry("onFailure", "RELEASE"),
                        entry("onStoreFailure", "FAIL"),
                        entry("onAbandoned", "TAKE_OVER"),
                        entry("otherCallers", "DEFAULT"));
        assertThat(definition.transactional()).isTrue();
        assertThat(definition.noEffectFor())
                .extracting(Class::getSimpleName)
                .containsExactly("Declined", "IllegalArgumentException");
        assertThat(definition.finalFor()).isEqualTo(List.of(IOException.class));
        assertThat(definition.unknownFor()).isEqualTo(List.of(IllegalStateException.class));
    }

    @Test
    void whatIsLeftOutOverAnAnnotatedMethodIsThatOnes() {
        OperationDefinition definition = Payments.load("""
                interface Charges {
                    @IdempotentOperation(value = "pay", key = "id", lease = "1m", onFailure = OnFailure.RELEASE)
                    void pay(String id, long amount);
                }
                @Singleton static class Card implements Charges {
                    @Override
                    @IdempotentOperation(lease = "10s", onAbandoned = OnAbandoned.TAKE_OVER)
                    public void pay(String id, long amount) {}
                }
                """).definition();

        assertThat(definition.name()).isEqualTo("pay");
        assertThat(definition.keySource()).isEqualTo(KeySource.PARAMETERS);
        assertThat(definition.attributes())
                .containsOnly(
                        entry("lease", "PT10S"), entry("onFailure", "RELEASE"), entry("onAbandoned", "TAKE_OVER"));
    }

    /** Whatever member the annotation gets, the definition carries it or is named here as something else. */
    @Test
    void everyMemberOfTheAnnotationIsCarried() {
        Set<String> others =
                Set.of("value", "key", "namespace", "transactional", "noEffectFor", "finalFor", "unknownFor");
        String members = Arrays.stream(IdempotentOperation.class.getDeclaredMethods())
                .filter(member -> !others.contains(member.getName()))
                .map(member -> member.getName() + " = " + written(member))
                .collect(Collectors.joining(", "));
        OperationDefinition definition = Payments.load("@SuppressWarnings(\"idempotency:nothingReads\")"
                        + " @IdempotentOperation(" + members + ") void pay(String id) {}")
                .definition();
        assertThat(definition.attributes())
                .hasSize(IdempotentOperation.class.getDeclaredMethods().length - others.size());
    }

    private static String written(Method member) {
        Object standard = member.getDefaultValue();
        if (standard instanceof Enum<?> constant) {
            return constant.getDeclaringClass().getSimpleName() + "." + constant.name();
        }
        return standard instanceof String text ? "\"" + (text.isEmpty() ? "any" : text) + "\"" : standard.toString();
    }
}
