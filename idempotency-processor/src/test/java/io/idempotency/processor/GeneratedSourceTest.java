package io.idempotency.processor;

import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.processor.compile.Compilation;
import io.idempotency.processor.compile.Compiled;
import io.idempotency.processor.compile.Payments;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The generated definitions as source files: readable, and accepted by javac under any settings. */
class GeneratedSourceTest {

    private static final List<String> STRICT = List.of("-Xlint:all,-processing,-options,-path,-serial", "-Werror");

    @Test
    void anOperationReadsAsItsAuthorWouldWriteIt() {
        Compilation compilation = Payments.compile("""
                record Order(String id, List<Line> lines) {}
                record Line(String sku, @io.idempotency.fingerprint.FingerprintDefault("1") int pieces) {}
                @IdempotentOperation(value = "pay", key = "order.id", lease = "10s")
                String pay(Order order, int[] numbers) { return ""; }
                """);
        assertThat(compilation.errors()).isEmpty();
        assertThat(compilation.generated())
                .hasSize(1)
                .allSatisfy((name, text) -> assertThat(text)
                        .contains("{@link Payments#pay}")
                        .contains("\"lease\", \"PT10S\");")
                        .contains("""
                                    Payments.Order order = (Payments.Order) arguments[0];
                                    if (order == null) {
                                        return null;
                                    }
                                    String id = order.id();
                                    return CanonicalKey.text(id);
                        """)
                        .contains("""
                                int pieces = value.pieces();
                                if (pieces != 1L) {
                                    writer.name(NAME_pieces);
                                    writer.integer(pieces);
                                }
                        """)
                        .contains("writer.list(lines, $Payments$Operations::writeLine);"));
    }

    @Test
    void noSettingOfTheCompilerMakesAWarningOfIt() {
        Compilation compilation = Compilation.with(STRICT, """
                package demo;
                import io.idempotency.*;
                import java.util.*;
                @jakarta.inject.Singleton
                public class Payments extends Base<Payments.Line> {
                    @Deprecated(forRemoval = true) public record Gone(String id) {}
                    @Deprecated public static final class Old { @Deprecated public String getId() { return ""; } }
                    public record Line(String sku) {}
                    public record Page<T, N extends Number & Comparable<N>>(List<T> items, T first, T[] all, N number) {}
                    public static final class LinePage<X> extends Held<Line> {
                        @Override public Line getHeld() { return new Line("s"); }
                    }
                    public abstract static class Held<T> { public abstract T getHeld(); }
                    @IdempotentOperation(value = "pay", key = "id", noEffectFor = Declined.class)
                    protected Map<String, Optional<Line>> pay(Gone gone, Old old, String id) { return Map.of(); }
                    @IdempotentOperation(value = "pay-page", key = "page.first.sku")
                    Line pay(Page<Line, Integer> page, LinePage<String> lines, Map<String, Page<UUID, Long>> more) { return null; }
                    static class Declined extends RuntimeException {}
                }
                """, """
                package demo;
                import io.idempotency.*;
                import java.util.List;
                public abstract class Base<T> {
                    @IdempotentOperation(value = "pay-base", key = "id") public List<T> pay(String id, T generic) { return List.of(); }
                }
                """);
        assertThat(compilation.reportedErrors()).isEmpty();
        assertThat(compilation.reportedWarnings()).isEmpty();
        assertThat(compilation.load().definitions()).hasSize(3);
    }

    @Test
    void whatTheSourceCallsAsGeneratedCodeCallsItsOwnIsToldApart() {
        Compiled compiled = Compilation.with(STRICT, """
                package demo;
                import io.idempotency.*;
                @jakarta.inject.Singleton
                public class Payments {
                    public record List(java.lang.String writer, int value, java.util.List<Object> boxed, java.util.List<EncodedName> each) {}
                    public record Object(java.lang.String NAME_id, java.lang.String id) {}
                    public record EncodedName(java.lang.String arguments, List demo) {}
                    @IdempotentOperation(value = "pay", key = "arguments.NAME_id")
                    public java.lang.String pay(Object arguments, List writer, EncodedName java) { return ""; }
                }
                """, """
                package demo;
                public class String {}
                """).load();
        Object id = compiled.create("demo.Payments$Object", "k-1", "i-1");
        assertThat(compiled.key(id, null, null)).isEqualTo("k-1");
        assertThat(compiled.fingerprint(id, null, null))
                .isNotEqualTo(compiled.fingerprint(compiled.create("demo.Payments$Object", "i-1", "k-1"), null, null))
                .isNotEqualTo(compiled.fingerprint(compiled.create("demo.Payments$Object", "k-1", "i-2"), null, null));
    }
}
