package io.idempotency.jdbc;

import io.idempotency.IdempotentOperation;
import io.micronaut.context.annotation.Requires;
import io.micronaut.core.annotation.Nullable;
import io.micronaut.data.annotation.GeneratedValue;
import io.micronaut.data.annotation.Id;
import io.micronaut.data.annotation.MappedEntity;
import io.micronaut.data.annotation.Query;
import io.micronaut.data.jdbc.annotation.JdbcRepository;
import io.micronaut.data.model.query.builder.sql.Dialect;
import io.micronaut.data.repository.GenericRepository;
import io.micronaut.serde.annotation.Serdeable;

/** A repository whose own methods are idempotent: the body is what Micronaut Data introduces. */
@JdbcRepository(dialect = Dialect.H2)
@Requires(property = "test.notes")
interface Notes extends GenericRepository<Notes.Note, Long> {

    /** A row; the database numbers it. */
    @Serdeable
    @MappedEntity("note")
    record Note(@Id @GeneratedValue @Nullable Long id, String reference, String text) {}

    @IdempotentOperation(value = "save-note", key = "note.reference")
    Note save(Note note);

    @IdempotentOperation(value = "insert-note", key = "note.reference", transactional = true)
    Note insert(Note note);

    @IdempotentOperation(value = "shout-note", key = "reference")
    @Query("UPDATE note SET text = text || '!' WHERE reference = :reference")
    int shout(String reference);

    Note findByReference(String reference);

    long count();
}
