package io.idempotency.runtime.intercept;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.micronaut.context.ApplicationContext;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A method is bound to the definition that was generated from it, and to no other one. */
@Tag("thorough")
class OwnDefinitionTest {

    /** As an earlier version, or a compilation of something else, has left it behind. */
    private static final String LEFT_BEHIND = """
            public final class $Vouchers$Operations {
                public static final class _pay implements io.idempotency.definition.OperationDefinition {
                @Override public String name() { return "pay"; }
                @Override public String origin() { return "another method"; }
                @Override public String method() { return METHOD; }
                @Override public io.idempotency.definition.KeySource keySource() {
                    return io.idempotency.definition.KeySource.ARGUMENTS;
                }
                @Override public void fingerprint(Object[] arguments, io.idempotency.definition.FingerprintWriter writer) {}
                @Override public io.micronaut.core.type.Argument<?> resultType() {
                    return io.micronaut.core.type.Argument.STRING;
                }
                }
            }
            """;

    private static final String VOUCHERS = """
            @Singleton public class Vouchers {
                @IdempotentOperation(value = "pay", key = "id") public String pay(String id) { return "voucher"; }
            }
            """;

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\"demo.Cards#pay(java.lang.String)\"",
                "\"demo.Vouchers#pay(java.lang.Integer)\"",
                "\"demo.Vouchers#redeem(java.lang.String)\"",
                "null"
            })
    void anotherMethodsDefinitionStopsTheStart(String method) {
        Modules modules =
                new Modules().and(LEFT_BEHIND.replace("METHOD", method)).and(VOUCHERS);
        assertThatThrownBy(() -> modules.start(Map.of()).close())
                .hasStackTraceContaining("Method demo.Vouchers#pay(java.lang.String) is bound to")
                .hasStackTraceContaining("generated from " + method.replace("\"", ""));
    }

    @Test
    void whateverAMethodsSignatureIsItIsItsOwn() {
        Modules modules = new Modules()
                .and(
                        """
                        public abstract class Base<T extends CharSequence> {
                            public record Odd$Name(String id) {}
                            @IdempotentOperation(key = "id") public String pay(T id) { return getClass().getName(); }
                            @IdempotentOperation public <X extends Number> String many(
                                    java.util.List<? super X> a, X x, T[] t, int[][] i, Odd$Name o, java.util.Optional<String> p) { return ""; }
                        }
                        """,
                        "@Singleton public class One extends Base<String> {}",
                        "@Singleton public class Two extends Base<String> {"
                                + " @Override public String pay(String id) { return super.pay(id); } }",
                        "public class Product extends Base<String> {}",
                        "public class Other extends Base<String> {}",
                        "@Factory public class Makes { @Singleton Product product() { return new Product(); }"
                                + " @Singleton Other other() { return new Other(); } }");
        try (ApplicationContext context = modules.start(Map.of())) {
            for (String bean : new String[] {"One", "Two", "Product", "Other"}) {
                assertThat(Modules.pay(Modules.bean(context, bean), "1"))
                        .asString()
                        .contains(bean);
            }
        }
    }
}
