package io.idempotency.test;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/**
 * What calls that were made at the same moment returned or threw, in no particular order.
 *
 * @param answers one for each call
 * @param <T> what a call returns
 */
public record Duplicates<T>(List<Answer<T>> answers) {

    /**
     * What one call returned, or what it threw.
     *
     * @param value what it returned, if it did
     * @param thrown what it threw, if it did
     * @param <T> what a call returns
     */
    public record Answer<T>(@Nullable T value, @Nullable Throwable thrown) {

        static <T> Answer<T> of(Callable<T> call) {
            try {
                return new Answer<>(call.call(), null);
            } catch (Exception | Error e) {
                return new Answer<>(null, e);
            }
        }
    }

    /**
     * What the calls returned.
     *
     * @return one for each call that did not throw; a call that returned null is left out
     */
    public List<T> returned() {
        return answers.stream()
                .flatMap(answer -> Optional.ofNullable(answer.value()).stream())
                .toList();
    }

    /**
     * What the calls threw.
     *
     * @return one for each call that threw
     */
    public List<Throwable> thrown() {
        return answers.stream()
                .flatMap(answer -> Optional.ofNullable(answer.thrown()).stream())
                .toList();
    }
}
