package io.idempotency.runtime.codec;

import io.micronaut.core.annotation.Internal;
import java.io.InputStream;
import java.io.Reader;
import java.nio.channels.Channel;
import java.util.Iterator;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import java.util.concurrent.Future;
import java.util.stream.BaseStream;

/** Values that are not there yet or are used up by reading. A JSON mapper may take such a one for a bean or an array. */
@Internal
public final class OnceOnly {

    private OnceOnly() {}

    /** Whether a value is such a one. */
    public static boolean is(Object value) {
        return value instanceof InputStream
                || value instanceof Reader
                || value instanceof Channel
                || value instanceof Iterator
                || value instanceof BaseStream
                || value instanceof Future
                || value instanceof CompletionStage
                || value instanceof Flow.Publisher;
    }
}
