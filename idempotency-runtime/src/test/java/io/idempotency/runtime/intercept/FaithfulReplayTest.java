package io.idempotency.runtime.intercept;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import io.idempotency.IdempotentOperation;
import io.idempotency.ResultUnavailableException;
import io.idempotency.test.logs.LogLines;
import io.micronaut.context.annotation.Property;
import io.micronaut.context.annotation.Requires;
import io.micronaut.serde.annotation.Serdeable;
import io.micronaut.test.extensions.junit5.annotation.MicronautTest;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A duplicate gets what the first caller got, or is told that it cannot: the compiler's warnings may have been silenced. */
@MicronautTest(startApplication = false)
@Property(name = "idempotency.store", value = "memory")
@Property(name = "test.faithful", value = "true")
class FaithfulReplayTest {

    private static final String SILENCED = "idempotency:inexactResult";

    @Serdeable
    static class Base {
        private final String id;

        Base(String id) {
            this.id = id;
        }

        public String getId() {
            return id;
        }
    }

    @Serdeable
    static final class Sub extends Base {
        private final int more;

        Sub(String id, int more) {
            super(id);
            this.more = more;
        }

        public int getMore() {
            return more;
        }
    }

    @Serdeable
    static final class OtherSub extends Base {
        OtherSub(String id) {
            super(id);
        }
    }

    @Serdeable
    record Holder(String name, Base base) {}

    @Serdeable
    sealed interface Shape permits Circle, Square {}

    @Serdeable
    record Circle(int radius) implements Shape {}

    @Serdeable
    record Square(int side) implements Shape {}

    @Serdeable
    record Hidden(String id, @JsonIgnore String secret) {}

    @Serdeable
    record HiddenNumber(String id, @JsonIgnore int secret) {}

    @Serdeable
    record Open(Object value) {}

    @Serdeable
    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    record Sparse(String text, List<String> list) {}

    @Serdeable
    enum Colour {
        RED,
        GREEN {
            @Override
            boolean loud() {
                return true;
            }
        };

        boolean loud() {
            return false;
        }
    }

    @Serdeable
    record Plain(
            String text,
            BigDecimal amount,
            Instant at,
            LocalDate day,
            ZonedDateTime zoned,
            UUID id,
            Optional<Colour> colour,
            List<Square> squares,
            Set<String> names,
            Map<String, List<Long>> numbers,
            byte[] bytes) {}

    @Serdeable
    record Tables(HashSet<String> small, Set<String> large, HashMap<String, Square> few, Map<String, Square> many) {}

    @Singleton
    @Requires(property = "test.faithful")
    static class Results {
        @SuppressWarnings(SILENCED)
        @IdempotentOperation(key = "key")
        public Base base(String key, boolean sub) {
            return sub ? new Sub(key, 3) : new Base(key);
        }

        @SuppressWarnings(SILENCED)
        @IdempotentOperation(key = "key")
        public List<Base> bases(String key, int plain, int subs) {
            return Stream.concat(
                            Stream.generate(() -> new Base(key)).limit(plain),
                            Stream.generate(() -> new Sub(key, 4)).limit(subs))
                    .toList();
        }

        @SuppressWarnings(SILENCED)
        @IdempotentOperation(key = "key")
        public Holder holder(String key) {
            return new Holder(key, new Sub(key, 5));
        }

        @SuppressWarnings(SILENCED)
        @IdempotentOperation(key = "key")
        public Shape shape(String key) {
            return new Circle(7);
        }

        @SuppressWarnings(SILENCED)
        @IdempotentOperation(key = "key")
        public Hidden hidden(String key) {
            return new Hidden(key, "secret");
        }

        @SuppressWarnings(SILENCED)
        @IdempotentOperation(value = "loud-one", key = "key")
        public Base loud(String key, boolean other) {
            return other ? new OtherSub(key) : new Sub(key, 6);
        }

        @SuppressWarnings(SILENCED)
        @IdempotentOperation(key = "key")
        public HiddenNumber hiddenNumber(String key) {
            return new HiddenNumber(key, 4711);
        }

        @SuppressWarnings(SILENCED)
        @IdempotentOperation(key = "key")
        public Open open(String key, boolean text) {
            return new Open(text ? "text" : Instant.EPOCH);
        }

        @SuppressWarnings(SILENCED)
        @IdempotentOperation(key = "key")
        public Open openEmpty(String key, boolean list) {
            return new Open(list ? List.of() : Set.of());
        }

        @IdempotentOperation(key = "key")
        public Sparse sparse(String key, boolean full) {
            return full ? new Sparse("text", List.of("a")) : new Sparse("", List.of());
        }

        @IdempotentOperation(key = "key")
        public Tables tables(String key) {
            HashSet<String> names = new HashSet<>(1 << 10);
            HashMap<String, Square> squares = new HashMap<>(1 << 10);
            for (int i = 0; i < 100; i++) {
                names.add("name " + i * 7919);
                squares.put("square " + i * 7919, new Square(i));
            }
            return new Tables(names, new HashSet<>(names), squares, new HashMap<>(squares));
        }

        @IdempotentOperation(key = "key")
        public Plain plain(String key) {
            return new Plain(
                    key,
                    new BigDecimal("12.50"),
                    Instant.parse("2026-01-01T10:00:00.123456789Z"),
                    LocalDate.EPOCH,
                    ZonedDateTime.of(2026, 1, 1, 10, 0, 0, 0, ZoneId.of("UTC")),
                    UUID.randomUUID(),
                    Optional.of(Colour.GREEN),
                    List.of(new Square(1), new Square(2)),
                    Set.of("a", "b", "c", "d", "e"),
                    Map.of("x", List.of(1L, 2L), "y", List.of()),
                    new byte[] {1, 2, 3});
        }
    }

    @Inject
    Results results;

    private final String key = UUID.randomUUID().toString();
    private final LogLines log = LogLines.of("io.idempotency.runtime.answer.ResultEncoder");

    @AfterEach
    void stopListening() {
        log.close();
    }

    private List<String> errors() {
        return log.messages(Level.ERROR);
    }

    private interface Operation {
        Object of(Results results, String key);
    }

    private static Operation named(Operation operation) {
        return operation;
    }

    static Stream<Operation> unfaithful() {
        return Stream.of(
                named((results, key) -> results.base(key, true)),
                named((results, key) -> results.bases(key, 1, 1)),
                named(Results::holder),
                named(Results::shape),
                named(Results::hidden),
                named(Results::hiddenNumber),
                named((results, key) -> results.open(key, false)));
    }

    @ParameterizedTest
    @MethodSource("unfaithful")
    void whatWouldNotComeBackAsItWasIsNotStored(Operation operation) {
        assertThat(operation.of(results, key)).isNotNull();
        assertThatThrownBy(() -> operation.of(results, key))
                .isInstanceOf(ResultUnavailableException.class)
                .hasMessageContaining("a duplicate would not get a ");
    }

    @Test
    void itIsSaidLoudlyOnceForEachClassWithWhatToDo() {
        results.loud(key, false);
        results.loud(key + "2", false);
        assertThat(errors())
                .singleElement(InstanceOfAssertFactories.STRING)
                .contains(
                        "'loud-one'",
                        "$Sub as the first caller did",
                        "duplicates get ResultUnavailableException",
                        "@Reloads(\"loud-one\")");
        results.loud(key + "3", true);
        results.loud(key + "4", true);
        assertThat(errors()).hasSize(2);
    }

    /** An empty list says nothing about its elements, nor a null about what else may be there. */
    @Test
    void everyClassIsCheckedWhereItAppearsFirst() {
        results.bases(key, 0, 0);
        results.bases(key + "1", 2, 0);
        assertThat(results.bases(key + "1", 2, 0)).hasSize(2);
        results.bases(key + "2", 2, 1);
        assertThatThrownBy(() -> results.bases(key + "2", 2, 1)).isInstanceOf(ResultUnavailableException.class);
        assertThat(results.base(key, false).getId())
                .isEqualTo(results.base(key, false).getId());
        assertThat(results.open(key, true)).isEqualTo(results.open(key, true));
    }

    /** Written without what is empty, as its annotation says, it would come back with nulls. */
    @Test
    void whatIsEmptyIsCheckedThoughAFullOneOfItsClassWas() {
        results.sparse(key, true);
        assertThat(results.sparse(key, true)).isEqualTo(new Sparse("text", List.of("a")));
        results.sparse(key + "-empty", false);
        assertThatThrownBy(() -> results.sparse(key + "-empty", false)).isInstanceOf(ResultUnavailableException.class);
    }

    @Test
    void anEmptySetIsNoEmptyList() {
        results.openEmpty(key, true);
        assertThat(results.openEmpty(key, true)).isEqualTo(new Open(List.of()));
        results.openEmpty(key + "-set", false);
        assertThatThrownBy(() -> results.openEmpty(key + "-set", false)).isInstanceOf(ResultUnavailableException.class);
    }

    /** The order of a hash table depends on its capacity, which is not written. */
    @Test
    void theOrderOfAHashTableIsNoDifference() {
        Tables first = results.tables(key);
        assertThat(results.tables(key)).isEqualTo(first);
        assertThat(errors()).isEmpty();
    }

    @Test
    void whatComesBackAsItWasIsReplayed() {
        Plain first = results.plain(key);
        assertThat(results.plain(key)).usingRecursiveComparison().isEqualTo(first);
        assertThat(errors()).isEmpty();
    }
}
