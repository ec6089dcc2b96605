package io.idempotency.jdbc;

import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One statement for a caller that has a turn and for those that it took along. Each is told what a statement of its
 * own would have told: while no answer came it is not known; and whatever else the database says, it changed nothing for
 * anybody, so each sends his own. So do the others where the caller that sent it was interrupted: what an owner has done already
 * it may do again.
 *
 * @param own has a turn
 * @param others wait for an answer, and get one whatever happens
 * @param <T> the answer's type
 */
record Combined<T>(Caller<T> own, List<Caller<T>> others) {

    /**
     * Sends it.
     *
     * @param together sends the statement for many, and answers by the record's id: none where there was no row, and an
     *     empty one for a row that cannot be read
     * @param alone sends the statement of {@code own}
     */
    @Nullable
    T send(Function<List<Values>, Map<String, Optional<T>>> together, Supplier<@Nullable T> alone) {
        Map<String, Optional<T>> answers;
        try {
            answers = together.apply(values());
        } catch (JdbcStoreException e) {
            if (!(e.getCause() instanceof SQLException cause) || !Dialect.unanswered(cause)) {
                others.forEach(Caller::goAlone);
                return alone.get();
            }
            if (Thread.currentThread().isInterrupted()) {
                // since JDK 21 a virtual thread that is interrupted closes its socket: the others may do the same again
                others.forEach(Caller::goAlone);
            } else {
                fail(e);
            }
            throw e;
        } catch (Throwable e) {
            fail(e);
            throw e;
        }
        for (Caller<T> other : others) {
            Optional<T> answer = answers.get(other.id());
            if (answer == null) {
                other.answer(null);
            } else {
                answer.ifPresentOrElse(other::answer, other::goAlone);
            }
        }
        Optional<T> answer = answers.get(own.id());
        return answer == null ? null : answer.orElseGet(alone);
    }

    /** Of callers that read the same record one is enough. */
    private List<Values> values() {
        Map<String, Values> values = new LinkedHashMap<>();
        values.put(own.id(), own.values());
        others.forEach(other -> values.put(other.id(), other.values()));
        return List.copyOf(values.values());
    }

    private void fail(Throwable cause) {
        for (Caller<T> other : others) {
            other.fail(cause);
        }
    }
}
