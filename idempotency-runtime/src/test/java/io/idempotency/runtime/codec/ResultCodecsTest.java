package io.idempotency.runtime.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.annotation.JsonCreator;
import io.idempotency.runtime.ResultCodec;
import io.micronaut.core.type.Argument;
import io.micronaut.serde.annotation.Serdeable;
import io.micronaut.test.extensions.junit5.annotation.MicronautTest;
import jakarta.inject.Inject;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@MicronautTest
class ResultCodecsTest {

    @Inject
    ResultCodecs codecs;

    @Serdeable
    record Receipt(String id, int number) {}

    private static byte[] text(String json) {
        return json.getBytes(StandardCharsets.UTF_8);
    }

    @Test
    void classNamesInTheStoredTextDecideNothing() throws IOException {
        ResultCodec codec = codecs.codecFor("receipts", Argument.of(Receipt.class));
        String stored = "{\"@class\":null,\"@type\":null,\"id\":\"a\",\"number\":1}";
        assertThat(codec.decode(text(stored))).isEqualTo(new Receipt("a", 1));
        assertThatThrownBy(() -> codec.decode(text(stored.replaceFirst("null", "\"javax.naming.InitialContext\""))))
                .isInstanceOf(IOException.class);
    }

    /** As during a deployment: the amount would be replayed as 0. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"id\":\"a\",\"amount\":7}",
                "{\"reference\":\"a\",\"number\":7}",
                "{\"id\":\"a\",\"number\":7.5}",
                "{\"id\":\"a\",\"number\":7,\"note\":\"\"}"
            })
    void whatAnotherVersionWroteIsNotReadWithOtherContent(String stored) {
        ResultCodec codec = codecs.codecFor("receipts", Argument.of(Receipt.class));
        assertThatThrownBy(() -> codec.decode(text(stored))).isInstanceOf(IOException.class);
        ResultCodec many = codecs.codecFor("many-receipts", Argument.listOf(Receipt.class));
        assertThatThrownBy(() -> many.decode(text("[{\"id\":\"b\",\"number\":1}," + stored + ']')))
                .isInstanceOf(IOException.class);
    }

    @Test
    void whatAnotherVersionDidNotWriteYetIsReadWithoutIt() throws IOException {
        ResultCodec codec = codecs.codecFor("receipts", Argument.of(Receipt.class));
        assertThat(codec.decode(text("{\"id\":\"a\",\"note\":null}"))).isEqualTo(new Receipt("a", 0));
        ResultCodec sets = codecs.codecFor("sets", Argument.setOf(Receipt.class));
        assertThat(sets.decode(text("[{\"id\":\"b\"},{\"id\":\"a\"}]")))
                .isEqualTo(Set.of(new Receipt("a", 0), new Receipt("b", 0)));
    }

    @Serdeable
    static class Offer {
        private final Instant until;

        Offer(Instant until) {
            this.until = until;
        }

        public Instant getUntil() {
            return until;
        }

        public boolean isOpen() {
            return until.isAfter(Instant.now());
        }
    }

    enum Status {
        PAID,
        UNKNOWN;

        @JsonCreator
        static Status of(String name) {
            return name.equals("PAID") ? PAID : UNKNOWN;
        }
    }

    @Serdeable
    record Payment(String id, Status status, List<Status> former, float amount) {
        Payment {
            status = status == null ? Status.UNKNOWN : status;
        }
    }

    /** As during a deployment: the other version knows the status SPLIT, and has the amount as a decimal. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"id\":\"a\",\"status\":\"SPLIT\",\"former\":[\"PAID\"],\"amount\":1.5}",
                "{\"id\":\"a\",\"status\":\"PAID\",\"former\":[\"PAID\",\"SPLIT\"],\"amount\":1.5}",
                "{\"id\":\"a\",\"status\":\"PAID\",\"former\":[\"PAID\"],\"amount\":1234567.89}"
            })
    void aValueThatThisVersionReadsAsAnotherOneIsLost(String stored) throws IOException {
        ResultCodec codec = codecs.codecFor("payments", Argument.of(Payment.class));
        assertThatThrownBy(() -> codec.decode(text(stored))).isInstanceOf(IOException.class);
        String known = "{\"amount\":1.50,\"id\":\"a\",\"status\":\"PAID\",\"former\":[\"PAID\"]}";
        assertThat(codec.decode(text(known))).isEqualTo(new Payment("a", Status.PAID, List.of(Status.PAID), 1.5f));
    }

    /** Such a getter had another value when the result was recorded. */
    @Test
    void whatAGetterCalculatesIsNotCompared() throws IOException {
        ResultCodec codec = codecs.codecFor("offers", Argument.of(Offer.class));
        Offer offer = new Offer(Instant.EPOCH);
        String stored = new String(codec.encode(offer), StandardCharsets.UTF_8);
        assertThat(stored).contains("\"open\":false");
        assertThat(codec.decode(text(stored.replace("false", "true"))))
                .usingRecursiveComparison()
                .isEqualTo(offer);
    }

    @Serdeable
    record Line(String item, @Nullable String note) {}

    @Test
    void theElementsOfASetMayBeWrittenInAnyOrder() throws IOException {
        ResultCodec codec = codecs.codecFor("lines", Argument.setOf(Line.class));
        Set<Line> lines = Set.of(new Line("a", null), new Line("a", "gift"), new Line("b", null));
        List<Line> order = new ArrayList<>(lines);
        for (int turned = 0; turned < 3; turned++) {
            Collections.rotate(order, 1);
            assertThat(codec.decode(codec.encode(new LinkedHashSet<>(order)))).isEqualTo(lines);
        }
        assertThatThrownBy(() ->
                        codec.decode(text("[{\"item\":\"a\",\"note\":null},{\"item\":\"a\",\"gift\":\"ribbon\"}]")))
                .isInstanceOf(IOException.class);
    }

    @Serdeable
    record Weight(double grams) {}

    @Test
    void aNumberWithMoreDigitsThanTheTypeKeepsIsLost() throws IOException {
        ResultCodec codec = codecs.codecFor("weights", Argument.of(Weight.class));
        assertThat(codec.decode(text("{\"grams\":0.10}"))).isEqualTo(new Weight(0.1));
        assertThatThrownBy(() -> codec.decode(text("{\"grams\":9007199254740993}")))
                .isInstanceOf(IOException.class);
    }

    /** Whoever chooses the elements must not choose how long each replay takes. */
    @Test
    @Timeout(20)
    void aLargeSetInAnotherOrderIsReadInLinearTime() throws IOException {
        ResultCodec codec = codecs.codecFor("numbers-of-orders", Argument.setOf(Long.class));
        Set<Long> numbers = LongStream.range(0, 100_000)
                .mapToObj(number -> 7_000_000_000L - number * 1_000_003)
                .collect(Collectors.toCollection(LinkedHashSet::new));
        assertThat(codec.decode(codec.encode(numbers))).isEqualTo(numbers);
    }

    @Test
    @Timeout(20)
    void aLongNameWithManyMembersIsReadInLinearTime() throws IOException {
        Argument<?> sets = Argument.mapOf(Argument.STRING, Argument.setOf(Long.class));
        ResultCodec codec = codecs.codecFor("names-of-orders", Argument.mapOf(Argument.STRING, sets));
        Set<Long> unordered = new LinkedHashSet<>(List.of(7_000_000_000L, 1L, 6_999_999_999L, 2L));
        Map<String, Set<Long>> members = IntStream.range(0, 40_000)
                .boxed()
                .collect(Collectors.toMap(number -> "k" + number, number -> unordered, (a, b) -> a, TreeMap::new));
        Map<String, Map<String, Set<Long>>> result = Map.of("n".repeat(40_000), members);
        assertThat(codec.decode(codec.encode(result))).isEqualTo(result);
    }

    @Test
    void theResultOfAVoidOperationMayBeWrittenAsNull() throws IOException {
        ResultCodec codec = codecs.codecFor("nothing", Argument.VOID);
        assertThat(codec.encodeJson(text("null"))).isEmpty();
        assertThatThrownBy(() -> codec.encodeJson(text("1"))).isInstanceOf(IOException.class);
    }

    @Test
    void noPrimitiveIsRecordedAsNull() {
        ResultCodec codec = codecs.codecFor("numbers", Argument.INT);
        assertThatThrownBy(() -> codec.encodeJson(text("null"))).isInstanceOf(IOException.class);
    }

    @Test
    void genericTypesComeBackAsTheyWere() throws IOException {
        ResultCodec codec = codecs.codecFor("receipts", Argument.listOf(Receipt.class));
        List<Receipt> receipts = List.of(new Receipt("a", 1), new Receipt("b", 2));
        assertThat(codec.decode(codec.encode(receipts))).isEqualTo(receipts);
    }

    @Test
    void aTamperedResultIsAnErrorAndNeverNull() {
        ResultCodec codec = codecs.codecFor("receipts", Argument.of(Receipt.class));
        for (String tampered : List.of("null", "{\"id\":", "[]", "\u0000")) {
            assertThatThrownBy(() -> codec.decode(text(tampered))).isInstanceOf(Exception.class);
        }
    }
}
