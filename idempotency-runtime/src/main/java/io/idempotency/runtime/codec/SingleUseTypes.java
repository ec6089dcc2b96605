package io.idempotency.runtime.codec;

import io.micronaut.core.annotation.Internal;
import java.io.InputStream;
import java.io.Reader;
import java.nio.channels.Channel;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import java.util.concurrent.Future;
import java.util.stream.BaseStream;

/**
 * Types of values that are not available yet or can be read once only. JSON mappers may take them for beans or arrays.
 */
@Internal
public final class SingleUseTypes {

    private static final List<Class<?>> TYPES = List.of(
            InputStream.class,
            Reader.class,
            Channel.class,
            Iterator.class,
            BaseStream.class,
            Future.class,
            CompletionStage.class,
            Flow.Publisher.class);

    private SingleUseTypes() {}

    /** Tells whether all values of a type are not available yet, or can be read only once. */
    public static boolean isType(Class<?> type) {
        return TYPES.stream().anyMatch(once -> once.isAssignableFrom(type));
    }
}
