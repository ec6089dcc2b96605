package io.idempotency.processor.model;

import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

/** Makes a message of what Micronaut's model throws where it cannot read a type, which would end the compiler otherwise. */
public final class Unreadable {

    /** Internal types of Micronaut's processors, known by name only: the class is visited again. */
    private static final Set<String> POSTPONED = Set.of(
            "io.micronaut.inject.visitor.ElementPostponedToNextRoundException",
            "io.micronaut.annotation.processing.PostponeToNextRoundException");

    private Unreadable() {}

    /** Reads something; where that is not possible, has what says why make something else of it. */
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

    /** Does something that reads, as {@link #or} does. */
    public static void run(Runnable reading, Consumer<String> otherwise) {
        or(
                () -> {
                    reading.run();
                    return "";
                },
                why -> {
                    otherwise.accept(why);
                    return why;
                });
    }
}
