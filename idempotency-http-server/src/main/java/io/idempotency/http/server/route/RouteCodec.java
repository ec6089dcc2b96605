package io.idempotency.http.server.route;

import io.idempotency.runtime.ResultCodec;
import io.idempotency.runtime.UnkeptResultException;
import io.micronaut.http.HttpResponse;
import java.io.IOException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Records answers as bytes; of a stream only the fact that it was answered. */
record RouteCodec(ResultCodec responses) implements ResultCodec {

    @Override
    public byte[] encode(@Nullable Object value) throws IOException {
        RouteAnswer answer = (RouteAnswer) Objects.requireNonNull(value);
        if (answer.unrecorded() != null) {
            throw new UnkeptResultException(answer.unrecorded());
        }
        return responses.encode(answer.response());
    }

    @Override
    public byte[] encodeJson(byte[] json) throws IOException {
        return responses.encodeJson(json);
    }

    @Override
    public Object decode(byte[] bytes) throws IOException {
        return RouteAnswer.of((HttpResponse<?>) Objects.requireNonNull(responses.decode(bytes)));
    }
}
