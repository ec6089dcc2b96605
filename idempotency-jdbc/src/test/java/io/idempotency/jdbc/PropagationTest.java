package io.idempotency.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idempotency.IdempotencyStoreUnavailableException;
import io.idempotency.IdempotentOperation;
import io.idempotency.PreviousAttemptFailedException;
import io.idempotency.jdbc.Postings.Inside;
import io.micronaut.context.ApplicationContext;
import io.micronaut.context.annotation.Requires;
import io.micronaut.core.type.Argument;
import io.micronaut.inject.qualifiers.Qualifiers;
import io.micronaut.transaction.TransactionDefinition;
import io.micronaut.transaction.TransactionDefinition.Propagation;
import io.micronaut.transaction.TransactionOperations;
import io.micronaut.transaction.annotation.Transactional;
import io.micronaut.transaction.exceptions.UnexpectedRollbackException;
import jakarta.inject.Singleton;
import java.sql.Connection;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Transactions around an operation and inside of it that only roll back, or are apart from it. */
class PropagationTest {

    private final String entry = UUID.randomUUID().toString();

    static Stream<Named<Supplier<Place>>> places() {
        return Stream.of(Named.of("H2", Place::h2), Named.of("PostgreSQL", Place::postgres));
    }

    /** An application in its place. */
    private record Application(Place place, ApplicationContext context) implements AutoCloseable {
        static Application at(Place place) {
            place.run("CREATE TABLE IF NOT EXISTS ledger (entry VARCHAR(64), amount INT)");
            return new Application(place, place.application("test.postings", true));
        }

        Postings postings() {
            return context.getBean(Postings.class);
        }

        @SuppressWarnings("unchecked")
        void in(TransactionDefinition definition, Function<Postings, Object> work, boolean rollsBack) {
            TransactionOperations<Connection> transactions = context.getBean(
                    Argument.of(TransactionOperations.class, Connection.class), Qualifiers.byName("default"));
            transactions.execute(definition, status -> {
                Object answer = work.apply(postings());
                if (rollsBack) {
                    status.setRollbackOnly();
                }
                return answer;
            });
        }

        String written(String entry) {
            return place.ask("SELECT count(*) FROM ledger WHERE entry = '" + entry + "'");
        }

        @Override
        public void close() {
            context.close();
        }
    }

    @ParameterizedTest
    @MethodSource("places")
    void anOuterTransactionThatOnlyRollsBackTakesTheRecordWithIt(Supplier<Place> places) {
        try (Application application = Application.at(places.get())) {
            application.in(TransactionDefinition.DEFAULT, postings -> postings.together(entry, Inside.RETURNS), true);
            assertThat(application.written(entry)).isEqualTo("0");
            assertThat(application.postings().together(entry, Inside.RETURNS)).isEqualTo(2);
            assertThat(application.postings().together(entry, Inside.RETURNS)).isEqualTo(2);
            assertThat(application.written(entry)).isEqualTo("1");
        }
    }

    @ParameterizedTest
    @MethodSource("places")
    void whatIsCommittedApartFromTheOuterTransactionStaysWhenThatRollsBack(Supplier<Place> places) {
        try (Application application = Application.at(places.get())) {
            application.in(
                    TransactionDefinition.DEFAULT,
                    outer -> {
                        application.in(Postings.APART, postings -> postings.together(entry, Inside.RETURNS), false);
                        return null;
                    },
                    true);
            assertThat(application.written(entry)).isEqualTo("1");
            assertThat(application.postings().together(entry, Inside.RETURNS)).isEqualTo(1);
        }
    }

    /** It returned a value, but its caller is told what Micronaut says of such a commit: nothing of it happened. */
    @ParameterizedTest
    @MethodSource("places")
    void aBodyThatMarksItsTransactionLeavesNoRecordAndIsNeverAnsweredAsSuccess(Supplier<Place> places) {
        try (Application application = Application.at(places.get())) {
            for (Inside marks : List.of(Inside.ROLLBACK_ONLY, Inside.ROLLBACK_ONLY_OF_ITS_OPERATION)) {
                assertThatThrownBy(() -> application.postings().together(entry, marks))
                        .isInstanceOf(UnexpectedRollbackException.class);
                assertThat(application.written(entry)).isEqualTo("0");
            }
            assertThat(application.postings().bodies).hasValue(2);
        }
    }

    @ParameterizedTest
    @MethodSource("places")
    void aBodyThatMarksItsTransactionAndSaysThatItHadNoEffectIsAnswered(Supplier<Place> places) {
        try (Application application = Application.at(places.get())) {
            for (int bodies = 1; bodies <= 2; bodies++) {
                assertThat(application.postings().together(entry, Inside.ROLLBACK_ONLY_WITHOUT_EFFECT))
                        .isEqualTo(bodies);
                assertThat(application.written(entry)).isEqualTo("0");
            }
        }
    }

    /** Each of its writes would be committed by itself, and its key taken for as long as it is remembered. */
    @ParameterizedTest
    @MethodSource("places")
    void aCallerWithoutATransactionThatForbidsOneIsRefusedBeforeTheBody(Supplier<Place> places) {
        try (Application application = Application.at(places.get())) {
            for (Propagation without : List.of(Propagation.SUPPORTS, Propagation.NOT_SUPPORTED, Propagation.NEVER)) {
                assertThatThrownBy(() -> application.in(
                                TransactionDefinition.of(without),
                                postings -> postings.together(entry, Inside.RETURNS),
                                false))
                        .isInstanceOf(IdempotencyStoreUnavailableException.class)
                        .hasStackTraceContaining("no transaction to join");
            }
            assertThat(application.postings().bodies).hasValue(0);
            assertThat(application.postings().together(entry, Inside.RETURNS)).isEqualTo(1);
        }
    }

    /** There a connection without a transaction looks as one that has one. */
    @Test
    void aCallerWithoutATransactionIsRefusedAlsoWhereThePoolCommitsNothingByItself() {
        Place place = Place.h2();
        place.run("CREATE TABLE IF NOT EXISTS ledger (entry VARCHAR(64), amount INT)");
        try (Application application = new Application(
                place, place.application("test.postings", true, "datasources.default.auto-commit", false))) {
            assertThatThrownBy(() -> application.in(
                            TransactionDefinition.of(Propagation.SUPPORTS),
                            postings -> postings.together(entry, Inside.RETURNS),
                            false))
                    .isInstanceOf(IdempotencyStoreUnavailableException.class)
                    .hasStackTraceContaining("auto-commit: false");
            assertThat(application.postings().bodies).hasValue(0);
            application.in(TransactionDefinition.DEFAULT, postings -> postings.together(entry, Inside.RETURNS), false);
            assertThat(application.written(entry)).isEqualTo("1");
            assertThat(application.postings().together(entry, Inside.RETURNS)).isEqualTo(1);
            Chain chain = application.context().getBean(Chain.class);
            application.in(TransactionDefinition.DEFAULT, postings -> chain.together("in-" + entry), false);
            assertThat(application.written("in-" + entry)).isEqualTo("1");
            chain.together("out-" + entry);
            assertThat(application.written("out-" + entry)).isEqualTo("1");
        }
    }

    /** An operation inside of another, in one transaction. */
    @Singleton
    @Requires(property = "test.postings")
    static class Chain {

        private final Postings postings;

        Chain(Postings postings) {
            this.postings = postings;
        }

        @Transactional
        @IdempotentOperation(value = "chain-together", key = "entry", transactional = true)
        int together(String entry) {
            return postings.together(entry, Inside.RETURNS);
        }
    }

    /** MariaDB and MySQL lock the row that a claim met until its transaction ends. */
    @ParameterizedTest
    @MethodSource("places")
    void aReplayInAnOpenTransactionKeepsNoOtherFromIts(Supplier<Place> places) {
        try (Application application = Application.at(places.get())) {
            assertThat(application.postings().together(entry, Inside.RETURNS)).isEqualTo(1);
            application.in(
                    TransactionDefinition.DEFAULT,
                    outer -> {
                        assertThat(outer.together(entry, Inside.RETURNS)).isEqualTo(1);
                        assertThat(CompletableFuture.supplyAsync(
                                                () -> outer.together(entry, Inside.RETURNS),
                                                task -> new Thread(task).start())
                                        .join())
                                .isEqualTo(1);
                        return null;
                    },
                    false);
        }
    }

    /** What a body commits apart from its transaction, no rolling back undoes. */
    @ParameterizedTest
    @MethodSource("places")
    void aBodyThatFailsAfterATransactionOfItsOwnIsRunAgain(Supplier<Place> places) {
        try (Application application = Application.at(places.get())) {
            for (int i = 1; i <= 2; i++) {
                assertThatThrownBy(() -> application.postings().together(entry, Inside.WRITES_APART_AND_FAILS))
                        .hasMessage("after the write of its own");
                assertThat(application.written(entry)).isEqualTo("" + i);
            }
        }
    }

    /** Its record is committed by itself: what the caller does with his own transaction afterwards is his own. */
    @ParameterizedTest
    @MethodSource("places")
    void theRecordOfAnOperationByItselfOutlivesTheTransactionAroundIt(Supplier<Place> places) {
        try (Application application = Application.at(places.get())) {
            application.in(TransactionDefinition.DEFAULT, postings -> postings.byItself(entry, Inside.RETURNS), true);
            assertThat(application.written(entry)).isEqualTo("0");
            assertThat(application.postings().byItself(entry, Inside.RETURNS)).isEqualTo(1);
            assertThat(application.postings().bodies).hasValue(1);
        }
    }

    @ParameterizedTest
    @MethodSource("places")
    void anOperationByItselfRemembersItsOutcomeWhateverTransactionsItsBodyUses(Supplier<Place> places) {
        try (Application application = Application.at(places.get())) {
            assertThat(application.postings().byItself(entry, Inside.ROLLBACK_ONLY))
                    .isEqualTo(1);
            assertThat(application.postings().byItself(entry, Inside.ROLLBACK_ONLY))
                    .isEqualTo(1);
            assertThat(application.written(entry)).isEqualTo("0");

            String other = UUID.randomUUID().toString();
            assertThatThrownBy(() -> application.postings().byItself(other, Inside.WRITES_APART_AND_FAILS))
                    .hasMessage("after the write of its own");
            assertThatThrownBy(() -> application.postings().byItself(other, Inside.WRITES_APART_AND_FAILS))
                    .isInstanceOf(PreviousAttemptFailedException.class);
            assertThat(application.written(other)).isEqualTo("2");
            assertThat(application.postings().bodies).hasValue(2);
        }
    }
}
