package io.idempotency.definition;

import static org.assertj.core.api.Assertions.assertThat;

import io.micronaut.core.type.Argument;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What generated definitions hand to their base class is what it answers. */
class GeneratedOperationTest {

    private static final class Charge extends GeneratedOperation {
        Charge() {
            super(
                    "charge",
                    "Payments.charge",
                    "com.acme.Payments#charge()",
                    "com.acme.Payments#charge()",
                    KeySource.HEADER,
                    "",
                    type(List.class, type(String.class, "E")),
                    "lease",
                    "10s",
                    "retention",
                    "1h");
        }

        @Override
        public void fingerprint(@Nullable Object[] arguments, FingerprintWriter writer) {
            // nothing
        }
    }

    @Test
    void everyPartIsAnsweredByItsMethod() {
        OperationDefinition charge = new Charge();
        assertThat(charge.name()).isEqualTo("charge").isEqualTo(charge.namespace());
        assertThat(charge.origin()).isEqualTo("Payments.charge");
        assertThat(charge.method()).isEqualTo("com.acme.Payments#charge()").isEqualTo(charge.declaration());
        assertThat(charge.keySource()).isEqualTo(KeySource.HEADER);
        assertThat(charge.clientsKey()).isTrue();
        assertThat(charge.keyDescription()).isEmpty();
        assertThat(charge.resultType()).isEqualTo(Argument.listOf(String.class));
        assertThat(charge.attributes()).isEqualTo(Map.of("lease", "10s", "retention", "1h"));
    }

    @Test
    void whatADefinitionDoesNotSayIsTheStrictAnswer() {
        OperationDefinition charge = new Charge();
        assertThat(charge.sharesKeys()).isFalse();
        assertThat(charge.transactional()).isFalse();
        assertThat(charge.key(new Object[0])).isNull();
        assertThat(charge.noEffectFor()).isEmpty();
        assertThat(charge.finalFor()).isEmpty();
        assertThat(charge.unknownFor()).isEmpty();
    }

    /** For instance of calls by hand. */
    @Test
    void aDefinitionThatNothingWasGeneratedFromNamesNoMethod() {
        OperationDefinition byHand = new OperationDefinition() {
            @Override
            public String name() {
                return "import";
            }

            @Override
            public String origin() {
                return "by hand";
            }

            @Override
            public KeySource keySource() {
                return KeySource.ARGUMENTS;
            }

            @Override
            public void fingerprint(@Nullable Object[] arguments, FingerprintWriter writer) {
                // nothing
            }

            @Override
            public Argument<?> resultType() {
                return Argument.VOID;
            }
        };
        assertThat(byHand.method()).isNull();
        assertThat(byHand.declaration()).isNull();
    }
}
