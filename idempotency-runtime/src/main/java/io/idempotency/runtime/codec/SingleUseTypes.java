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

/** Types whose values are not there yet, or are used up by reading. A JSON mapper may take one for a bean or an array. */
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

    /** Whether a value is not there yet, or is used up by reading. */
    public static boolean is(Object value) {
        return isType(value.getClass());
    }

    /** The same of all values of a type. */
    public static boolean isType(Class<?> type) {
        return TYPES.stream().anyMatch(once -> once.isAssignableFrom(type));
    }
}
