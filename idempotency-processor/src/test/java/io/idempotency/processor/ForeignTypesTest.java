package io.idempotency.processor;

import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.processor.compile.Compilation;
import io.idempotency.processor.compile.Compiled;
import io.idempotency.processor.compile.Payments;
import org.junit.jupiter.api.Test;

/** Types that nobody can change, whose accessors are called as their properties are, such as Kafka's records. */
class ForeignTypesTest {

    private static final String RECORD = """
            package kafka;
            public class ConsumerRecord<K, V> {
                private final String topic;
                private final K key;
                private final V value;
                private final java.util.Optional<Integer> epoch;
                private final long offset;
                private volatile boolean cached;
                public ConsumerRecord(String topic, K key, V value, long offset) {
                    this.topic = topic; this.key = key; this.value = value; this.offset = offset;
                    this.epoch = java.util.Optional.of(1); this.cached = true;
                }
                public String topic() { return topic; }
                public K key() { return key; }
                public V value() { return value; }
                public java.util.Optional<Integer> epoch() { return epoch; }
                public long offset() { return offset; }
                %s
                public void close() {}
                public String copy() { throw new AssertionError(); }
            }
            """;

    private static final String CACHED = "public boolean cached() { return true; }";

    private static final String PAY = """
            @IdempotentOperation(key = "message.value.id") void pay(kafka.ConsumerRecord<String, Order> message) {}
            public record Order(String id) {}
            """;

    /** Compiled before, as a jar is. */
    private static Compilation jar(String accessor) {
        return Compilation.of(RECORD.formatted(accessor));
    }

    @Test
    void accessorsWithoutGetAreReadByKeysAndFingerprints() {
        Compiled payments = jar(CACHED).again(Payments.with(PAY)).load();
        Object order = payments.create("demo.Payments$Order", "o-1");
        Object one = payments.create("kafka.ConsumerRecord", "orders", "k", order, 1L);
        Object same = payments.create("kafka.ConsumerRecord", "orders", "k", order, 1L);
        Object next = payments.create("kafka.ConsumerRecord", "orders", "k", order, 2L);

        assertThat(payments.key(one)).isEqualTo("o-1");
        assertThat(payments.fingerprint(one)).isEqualTo(payments.fingerprint(same));
        assertThat(payments.fingerprint(one)).isNotEqualTo(payments.fingerprint(next));
    }

    @Test
    void aKeyReadsTheMethodsOfAnInterfaceToo() {
        Compiled payments =
                Payments.load("@IdempotentOperation(key = \"order.id\") void pay(@NotFingerprinted Order order) {}"
                        + " interface Order { String id(); } record Order1(String id) implements Order {}");

        assertThat(payments.key(payments.create("demo.Payments$Order1", "o-1"))).isEqualTo("o-1");
    }

    @Test
    void whatEveryObjectHasIsNoProperty() {
        assertThat(Payments.errors("@IdempotentOperation(key = \"order.hashCode\") void pay(Order order) {}"
                        + " record Order(String id) {}"))
                .singleElement()
                .asString()
                .contains("has no such property. It has id.");
    }

    @Test
    void aMethodThatMayBeSomethingElseThanItsFieldIsNotRead() {
        assertThat(Payments.errors("@IdempotentOperation void pay(Order order) {}\n"
                        + "static class Order { private int total; public String total() { return \"\"; } }"))
                .singleElement()
                .asString()
                .contains("its field total cannot be read");
    }

    @Test
    void nobodyIsToldToChangeAClassThatIsNotHis() {
        assertThat(jar("").again(Payments.with(PAY)).errors())
                .singleElement()
                .asString()
                .startsWith("Payments.java:10:")
                .contains(
                        "its field cached cannot be read",
                        "mark 'message' @NotFingerprinted",
                        "@Mixin(ConsumerRecord.class)")
                .doesNotContain("Add a getter,");
    }

    @Test
    void aMixinLeavesOutWhatDoesNotMatter() {
        String mixin = """
                package demo;
                @io.micronaut.context.annotation.Mixin(kafka.ConsumerRecord.class)
                class Leave {
                    @io.idempotency.NotFingerprinted boolean cached;
                }
                """;
        assertThat(jar("").again(Payments.with(PAY), mixin).errors()).isEmpty();
    }
}
