package io.idempotency.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idempotency.IdempotencyKeyReusedException;
import io.idempotency.PreviousAttemptFailedException;
import io.idempotency.jdbc.Notes.Note;
import io.micronaut.context.ApplicationContext;
import io.micronaut.data.exceptions.DataAccessException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code @IdempotentOperation} on the methods of a {@code @JdbcRepository}. */
@Tag("thorough")
class IdempotentRepositoryTest {

    private final Place place = Place.h2();
    private ApplicationContext application;
    private Notes notes;

    @BeforeEach
    void start() {
        place.run("CREATE TABLE note (id BIGINT AUTO_INCREMENT PRIMARY KEY, reference VARCHAR(64),"
                + " text VARCHAR(8))");
        application = place.application("test.notes", true);
        notes = application.getBean(Notes.class);
    }

    @AfterEach
    void stop() {
        application.close();
    }

    private Note save(String method, Note note) {
        return method.equals("save") ? notes.save(note) : notes.insert(note);
    }

    @ParameterizedTest
    @ValueSource(strings = {"save", "insert"})
    void aRowIsInsertedOnceAndItsRetryGetsTheSavedEntity(String method) {
        Note saved = save(method, new Note(null, "r-1", "one"));
        assertThat(saved.id()).isNotNull();

        assertThat(save(method, new Note(null, "r-1", "one"))).isEqualTo(saved);
        assertThat(notes.count()).isEqualTo(1);
        assertThat(notes.findByReference("r-1")).isEqualTo(saved);

        assertThat(save(method, new Note(null, "r-2", "one")).id()).isNotEqualTo(saved.id());
        assertThat(notes.count()).isEqualTo(2);
    }

    @ParameterizedTest
    @ValueSource(strings = {"save", "insert"})
    void anotherEntityUnderTheSameKeyIsRefusedAndNotInserted(String method) {
        save(method, new Note(null, "r-1", "one"));

        assertThatThrownBy(() -> save(method, new Note(null, "r-1", "two")))
                .isInstanceOf(IdempotencyKeyReusedException.class);
        assertThat(notes.count()).isEqualTo(1);
    }

    @Test
    void anUpdateRunsOnce() {
        notes.save(new Note(null, "r-1", "one"));

        assertThat(notes.shout("r-1")).isEqualTo(1);
        assertThat(notes.shout("r-1")).isEqualTo(1);
        assertThat(notes.findByReference("r-1").text()).isEqualTo("one!");
    }

    @Test
    void aFailureOfTheDatabaseIsRememberedAndInATransactionRolledBack() {
        Note tooLong = new Note(null, "r-1", "longer than the column");

        assertThatThrownBy(() -> notes.save(tooLong)).isInstanceOf(DataAccessException.class);
        assertThatThrownBy(() -> notes.save(tooLong)).isInstanceOf(PreviousAttemptFailedException.class);
        assertThatThrownBy(() -> notes.insert(tooLong)).isInstanceOf(DataAccessException.class);
        assertThatThrownBy(() -> notes.insert(tooLong)).isInstanceOf(DataAccessException.class);
        assertThat(notes.count()).isZero();
    }
}
