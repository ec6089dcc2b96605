package io.idempotency.runtime.intercept;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idempotency.IdempotentOperation;
import io.idempotency.InvalidIdempotencyKeyException;
import io.idempotency.MissingIdempotencyKeyException;
import io.idempotency.NotFingerprinted;
import io.micronaut.context.annotation.Property;
import io.micronaut.context.annotation.Requires;
import io.micronaut.test.extensions.junit5.annotation.MicronautTest;
import jakarta.inject.Inject;
import jakarta.inject.Named;
import jakarta.inject.Singleton;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.sql.Timestamp;
import java.util.Date;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TimeZone;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Keys that Micronaut evaluates. */
@MicronautTest(startApplication = false)
@Property(name = "test.key-expression", value = "true")
class KeyExpressionTest {

    record Order(String id) {}

    @Singleton
    @Named("${test.key-expression.name:shop}")
    @Requires(property = "test.key-expression")
    static class Shop {

        private int bodies;

        @IdempotentOperation(value = "expression-beside-placeholder", key = "#{ order.id() }")
        int pay(Order order) {
            return ++bodies;
        }
    }

    @Singleton
    @Requires(property = "test.key-expression")
    static class Kiosk {

        private int bodies;

        @Property(name = "test", value = "${test.key-expression.name:kiosk}")
        @IdempotentOperation(value = "expression-below-placeholder", key = "#{ order.id() }")
        int pay(Order order) {
            return ++bodies;
        }
    }

    enum Channel {
        WEB;

        @Override
        public String toString() {
            return "a label";
        }
    }

    record Anything(Object value) {}

    @Singleton
    @Requires(property = "test.key-expression")
    static class Bazaar {

        private int bodies;

        @IdempotentOperation(value = "expression-of-anything", key = "#{ sold.value() }")
        int pay(@NotFingerprinted Anything sold) {
            return ++bodies;
        }
    }

    @Inject
    Bazaar bazaar;

    @Inject
    Shop shop;

    @Inject
    Kiosk kiosk;

    @Test
    void anExpressionIsEvaluatedWhereAnotherAnnotationOfTheBeanHasAPlaceholder() {
        assertThat(shop.pay(new Order("a"))).isEqualTo(1);
        assertThat(shop.pay(new Order("a"))).isEqualTo(1);
        assertThat(shop.pay(new Order("b"))).isEqualTo(2);
    }

    /** Its text would be another one in each call, and every call would run. */
    @Test
    void whatHasNoTextOfItsOwnIsNoKey() {
        int before = bazaar.bodies;
        Object own = new Object();
        for (Object value : new Object[] {
            new byte[] {1},
            own,
            new String[] {"a"},
            List.of(own),
            new Anything(bytesOfALongHash()),
            Set.of("a", "b"),
            List.of(Set.of("a", "b")),
            Map.of("a", 1, "b", 2),
            List.of(2e23),
            List.of(2e23f),
            List.of(new BigDecimal("1.0")),
            Map.of("amount", List.of(new BigDecimal("1.00"))),
            ByteBuffer.wrap(new byte[] {1}),
            List.of(ByteBuffer.allocateDirect(1)),
            Map.of("only", new Date(1))
        }) {
            assertThatThrownBy(() -> bazaar.pay(new Anything(value)))
                    .isInstanceOf(InvalidIdempotencyKeyException.class)
                    .hasMessageContaining("The body did not run")
                    .hasStackTraceContaining("whose text is another one in each call");
        }
        assertThat(bazaar.bodies).isEqualTo(before);
    }

    /** One hash of 2,000 has fewer digits than a part is recognised by: such a call takes the text for the key. */
    private static byte[] bytesOfALongHash() {
        return Stream.generate(() -> new byte[] {1})
                .filter(bytes ->
                        Integer.toHexString(System.identityHashCode(bytes)).length() > 5)
                .findFirst()
                .orElseThrow();
    }

    record Revision(String document, int number) {
        @Override
        public String toString() {
            return document + "@" + number;
        }
    }

    @Test
    void aTextOfItsOwnIsAKeyWhateverItLooksLikeAndSoIsWhatHasOneOrderOnly() {
        for (Object value : new Object[] {
            new Revision("order-17", 3),
            new Revision("orders", 1234567),
            List.of(new Revision("a", 42)),
            EnumSet.of(Channel.WEB),
            new EnumMap<>(Map.of(Channel.WEB, 1)),
            CharBuffer.wrap("of characters"),
            Set.of("only"),
            Map.of("only", 1)
        }) {
            assertThat(bazaar.pay(new Anything(value))).isEqualTo(bazaar.pay(new Anything(value)));
        }
    }

    @Test
    void anEmptyOptionalIsNoKeyAndAnyOtherIsItsValue() {
        assertThatThrownBy(() -> bazaar.pay(new Anything(Optional.empty())))
                .isInstanceOf(MissingIdempotencyKeyException.class);
        assertThat(bazaar.pay(new Anything(Optional.of("of-itself")))).isEqualTo(bazaar.pay(new Anything("of-itself")));
        assertThat(bazaar.pay(new Anything(List.of("j.doe@example.org", "x@cafe.com"))))
                .isEqualTo(bazaar.pay(new Anything(List.of("j.doe@example.org", "x@cafe.com"))));
    }

    @Test
    void equalValuesAreOneKeyWhateverTheirTextOrTimeZone() {
        TimeZone here = TimeZone.getDefault();
        int first = bazaar.pay(new Anything(new Date(1)));
        try {
            TimeZone.setDefault(TimeZone.getTimeZone("Asia/Tokyo"));
            assertThat(bazaar.pay(new Anything(new Date(1)))).isEqualTo(first);
        } finally {
            TimeZone.setDefault(here);
        }
        assertThat(bazaar.pay(new Anything(new BigDecimal("100.50")))).isEqualTo(bazaar.pay(new Anything("100.5")));
        assertThat(bazaar.pay(new Anything(new BigDecimal("1E2")))).isEqualTo(bazaar.pay(new Anything(100)));
        assertThat(bazaar.pay(new Anything(Timestamp.valueOf("2026-11-28 12:00:00.123456"))))
                .isNotEqualTo(bazaar.pay(new Anything(Timestamp.valueOf("2026-11-28 12:00:00.123789"))));
        assertThat(bazaar.pay(new Anything(Channel.WEB))).isEqualTo(bazaar.pay(new Anything("WEB")));
    }

    /** Java 17 writes 2.0E23, Java 19 and later 2e23's shortest text. */
    @Test
    void aBinaryFractionIsItsBitsWhichNoJavaVersionSpellsDifferently() {
        assertThat(bazaar.pay(new Anything(2e23))).isEqualTo(bazaar.pay(new Anything("44c52d02c7e14af6")));
        assertThat(bazaar.pay(new Anything(1.5f))).isEqualTo(bazaar.pay(new Anything("3fc00000")));
    }

    @Test
    void anExpressionIsEvaluatedWhereAnotherAnnotationOfTheMethodHasAPlaceholder() {
        assertThat(kiosk.pay(new Order("a"))).isEqualTo(1);
        assertThat(kiosk.pay(new Order("a"))).isEqualTo(1);
        assertThat(kiosk.pay(new Order("b"))).isEqualTo(2);
    }
}
