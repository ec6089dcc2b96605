package io.idempotency.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idempotency.OperationInProgressException;
import io.idempotency.OutcomeUnknownException;
import io.idempotency.ResultUnavailableException;
import io.micronaut.context.ApplicationContext;
import io.micronaut.core.type.Argument;
import io.micronaut.inject.qualifiers.Qualifiers;
import io.micronaut.transaction.TransactionDefinition;
import io.micronaut.transaction.TransactionOperations;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** {@code transactional = true} on a bean method, as an application has it. */
class TransactionalOperationTest {

    private final String entry = UUID.randomUUID().toString();

    static Stream<Named<Supplier<Place>>> places() {
        return Stream.of(Named.of("H2", Place::h2), Named.of("PostgreSQL", Place::postgres));
    }

    static Stream<Named<Supplier<Place>>> placesThatKeepATransactionAfterAFailedStatement() {
        return Stream.of(Named.of("H2", Place::h2));
    }

    static ApplicationContext ledger(Place place, Object... more) {
        place.run("CREATE TABLE IF NOT EXISTS ledger (entry VARCHAR(64), amount INT)");
        List<Object> properties = new ArrayList<>(List.of("test.ledger", true));
        properties.addAll(List.of(more));
        return place.application(properties.toArray());
    }

    private String booked(Place place) {
        return place.ask("SELECT count(*) FROM ledger WHERE entry = '" + entry + "'");
    }

    @ParameterizedTest
    @MethodSource("places")
    void bothAreCommittedOrNeither(Supplier<Place> places) {
        Place place = places.get();
        try (ApplicationContext application = ledger(place)) {
            Ledger ledger = application.getBean(Ledger.class);
            assertThatThrownBy(() -> ledger.book(entry, -1)).hasMessage("refused");
            assertThat(booked(place)).isEqualTo("0");
            assertThatThrownBy(() -> ledger.bookStrictly(entry, -1)).hasMessage("refused");
            assertThat(booked(place)).isEqualTo("0");

            String first = ledger.book(entry, 5);
            assertThat(ledger.book(entry, 5)).isEqualTo(first);
            assertThat(ledger.bookStrictly(entry, 5)).isEqualTo(ledger.bookStrictly(entry, 5));
            assertThat(booked(place)).isEqualTo("2");
            assertThat(ledger.bodies).hasValue(4);
        }
    }

    @ParameterizedTest
    @MethodSource("places")
    void aBodyThatCommitsAPartByItselfAndFailsIsInDoubtAndDoesNotRunAgain(Supplier<Place> places) {
        Place place = places.get();
        try (ApplicationContext application = ledger(place)) {
            Ledger ledger = application.getBean(Ledger.class);
            assertThatThrownBy(() -> ledger.bookAndCommit(entry)).hasStackTraceContaining("no space left");
            assertThatThrownBy(() -> ledger.bookAndCommit(entry))
                    .isInstanceOf(OutcomeUnknownException.class)
                    .hasMessageContaining("committed a part");
            assertThat(booked(place)).isEqualTo("1");
            assertThat(ledger.bodies).hasValue(1);
        }
    }

    @ParameterizedTest
    @MethodSource("places")
    void aRepositorysWritesAreInTheTransactionToo(Supplier<Place> places) {
        Place place = places.get();
        try (ApplicationContext application = ledger(place)) {
            Ledger ledger = application.getBean(Ledger.class);
            assertThatThrownBy(() -> ledger.bookByRepository(entry, -1)).hasMessage("refused");
            assertThat(booked(place)).isEqualTo("0");
            assertThat(ledger.bookByRepository(entry, 5)).isEqualTo(1);
            assertThat(ledger.bookByRepository(entry, 5)).isEqualTo(1);
            assertThat(booked(place)).isEqualTo("1");
        }
    }

    @ParameterizedTest
    @MethodSource("placesThatKeepATransactionAfterAFailedStatement")
    void aResultThatTheColumnCannotHoldIsLeftOutAndTheRestIsCommitted(Supplier<Place> places) {
        Place place = places.get();
        try (ApplicationContext application = ledger(place)) {
            Ledger ledger = application.getBean(Ledger.class);
            place.limitResults(10);
            assertThat(ledger.book(entry, 5)).isEqualTo(entry + " #1");
            assertThat(booked(place)).isEqualTo("1");
            assertThatThrownBy(() -> ledger.book(entry, 5))
                    .isInstanceOf(ResultUnavailableException.class)
                    .hasMessageContaining("the store rejected it");
            assertThat(ledger.bodies).hasValue(1);
        }
    }

    @ParameterizedTest
    @MethodSource("places")
    void ofManyCallersAtOnceExactlyOneBooks(Supplier<Place> places) throws Exception {
        Place place = places.get();
        ExecutorService threads = Executors.newFixedThreadPool(8);
        try (ApplicationContext application = ledger(place)) {
            Ledger ledger = application.getBean(Ledger.class);
            CountDownLatch start = new CountDownLatch(1);
            List<Future<String>> answers = new ArrayList<>();
            for (int i = 0; i < 64; i++) {
                answers.add(threads.submit(() -> {
                    start.await();
                    return ledger.book(entry, 5);
                }));
            }
            start.countDown();
            for (Future<String> answer : answers) {
                assertThat(answer.get()).isEqualTo(entry + " #1");
            }
            assertThat(booked(place)).isEqualTo("1");
        } finally {
            threads.shutdownNow();
        }
    }

    @ParameterizedTest
    @MethodSource("places")
    void anOuterTransactionDecides(Supplier<Place> places) {
        Place place = places.get();
        try (ApplicationContext application = ledger(place, "datasources.default.maximum-pool-size", 1)) {
            Ledger ledger = application.getBean(Ledger.class);
            TransactionOperations<Connection> transactions = application.getBean(
                    Argument.of(TransactionOperations.class, Connection.class), Qualifiers.byName("default"));
            assertThatThrownBy(() -> transactions.execute(TransactionDefinition.DEFAULT, status -> {
                        ledger.book(entry, 5);
                        throw new IllegalStateException("the caller rolls back");
                    }))
                    .hasMessage("the caller rolls back");
            assertThat(booked(place)).isEqualTo("0");
            assertThat(ledger.book(entry, 5)).isEqualTo(entry + " #2");
            assertThat(booked(place)).isEqualTo("1");
        }
    }

    @Test
    void aCommitThatFailsIsNeverAnsweredAsSuccess() {
        Place place = Place.postgres();
        place.run("CREATE TABLE IF NOT EXISTS ledger (entry VARCHAR(64), amount INT)");
        String known = Place.fresh();
        place.run("CREATE TABLE " + known + " (amount INT PRIMARY KEY)");
        String constraint = Place.fresh();
        place.run("ALTER TABLE ledger ADD CONSTRAINT " + constraint + " FOREIGN KEY (amount) REFERENCES " + known
                + " DEFERRABLE INITIALLY DEFERRED NOT VALID");
        try (ApplicationContext application = ledger(place)) {
            Ledger ledger = application.getBean(Ledger.class);
            assertThatThrownBy(() -> ledger.book(entry, 4711)).isNotNull();
            assertThat(booked(place)).isEqualTo("0");
            place.run("INSERT INTO " + known + " VALUES (4711)");
            assertThat(ledger.book(entry, 4711)).isEqualTo(entry + " #2");
            assertThat(booked(place)).isEqualTo("1");
        } finally {
            place.run("ALTER TABLE ledger DROP CONSTRAINT " + constraint);
        }
    }

    @Test
    void aDuplicateIsRejectedWhileTheTransactionRuns() throws Exception {
        Place place = Place.postgres();
        try (ApplicationContext application = ledger(place)) {
            Ledger ledger = application.getBean(Ledger.class);
            TransactionOperations<Connection> transactions = application.getBean(
                    Argument.of(TransactionOperations.class, Connection.class), Qualifiers.byName("default"));
            ExecutorService threads = Executors.newSingleThreadExecutor();
            try {
                transactions.execute(TransactionDefinition.DEFAULT, status -> {
                    ledger.bookStrictly(entry, 5);
                    assertThatThrownBy(() -> threads.submit(() -> ledger.bookStrictly(entry, 5))
                                    .get())
                            .hasCauseInstanceOf(OperationInProgressException.class);
                    return null;
                });
            } finally {
                threads.shutdownNow();
            }
            assertThat(booked(place)).isEqualTo("1");
        }
    }

    @Test
    void aBodyOfAnotherDataSourceIsRefusedAtStartUp() {
        assertThatThrownBy(() -> ledger(
                                Place.h2(), "test.elsewhere", true, "datasources.other.url", "jdbc:h2:mem:" + entry)
                        .close())
                .hasStackTraceContaining("names the data source 'other'")
                .hasStackTraceContaining("idempotency.jdbc.datasource: other");
    }

    @Test
    void aStoreWithoutTransactionsIsRefusedAtStartUp() {
        assertThatThrownBy(() -> ApplicationContext.run(Map.of(
                                "test.ledger",
                                true,
                                "idempotency.store",
                                "memory",
                                "datasources.default.url",
                                "jdbc:h2:mem:" + entry))
                        .close())
                .hasStackTraceContaining("is transactional and its store 'memory'");
    }
}
