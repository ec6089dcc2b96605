package io.idempotency.processor.code;

import org.objectweb.asm.Label;
import org.objectweb.asm.commons.GeneratorAdapter;

/** A piece of byte code, which takes what lies on the stack and leaves something else there. */
@FunctionalInterface
public interface Code {

    /** Leaves what it takes. */
    Code NOTHING = to -> {};

    /** Appends it to a method. */
    void write(GeneratorAdapter to);

    /** This, and another piece after it. */
    default Code then(Code next) {
        return to -> {
            write(to);
            next.write(to);
        };
    }

    /** A piece that takes a value, and goes on elsewhere for some values. */
    @FunctionalInterface
    interface Branch {

        /** Appends it to a method. */
        void write(GeneratorAdapter to, Label elsewhere);
    }
}
