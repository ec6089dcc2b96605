package io.idempotency.http.client;

import io.micronaut.core.io.buffer.ReferenceCounted;
import io.micronaut.http.client.multipart.MultipartBody;
import java.io.InputStream;
import java.io.Reader;
import java.nio.channels.Channel;
import java.util.Iterator;
import java.util.List;
import java.util.stream.BaseStream;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;

/** What can be sent once only is not sent again. */
final class Resendable {

    private static final List<Class<?>> ONCE = List.of(
            Publisher.class,
            InputStream.class,
            Reader.class,
            Channel.class,
            Iterator.class,
            BaseStream.class,
            ReferenceCounted.class,
            MultipartBody.class,
            MultipartBody.Builder.class);

    private Resendable() {}

    static boolean all(@Nullable Object[] arguments) {
        for (Object argument : arguments) {
            if (ONCE.stream().anyMatch(type -> type.isInstance(argument))) {
                return false;
            }
        }
        return true;
    }
}
