package io.idempotency.processor.model;

import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

/** Turns exceptions of Micronaut's model, which would end the compilation, into messages. */
public final class Unreadable {

    /** Internal exceptions of Micronaut, by name, after which it visits the class again. */
    private static final Set<String> POSTPONED = Set.of(
            "io.micronaut.inject.visitor.ElementPostponedToNextRoundException",
            "io.micronaut.annotation.processing.PostponeToNextRoundException");

    private Unreadable() {}

    /** Returns what is read, or else the fallback's result for the reason of the failure. */
    public static <T> T or(Supplier<T> read, Function<String, T> otherwise) {
        try {
            return read.get();
        } catch (RuntimeException e) {
            if (POSTPONED.contains(e.getClass().getName())) {
                throw e;
            }
            return otherwise.apply("Micronaut cannot read it (" + e + "). Declare a simpler type");
        }
    }

    /** Reads like {@link #or}, without a result. */
    public static void run(Runnable reading, Consumer<String> otherwise) {
        Supplier<Optional<String>> read = () -> {
            reading.run();
            return Optional.empty();
        };
        or(read, Optional::of).ifPresent(otherwise);
    }
}
