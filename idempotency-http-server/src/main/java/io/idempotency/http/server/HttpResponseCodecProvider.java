package io.idempotency.http.server;

import io.idempotency.runtime.ResultCodec;
import io.idempotency.runtime.codec.ResultCodecProvider;
import io.idempotency.runtime.codec.ResultCodecs;
import io.micronaut.context.annotation.Requires;
import io.micronaut.core.type.Argument;
import io.micronaut.http.HttpResponse;
import io.micronaut.json.JsonMapper;
import jakarta.inject.Singleton;
import java.util.Optional;

/** Knows {@code HttpResponse}. */
@Singleton
@Requires(classes = HttpResponse.class)
final class HttpResponseCodecProvider implements ResultCodecProvider {

    private final JsonMapper json;
    private final ResponseHeads heads;
    private final ReplayedHeaders headers;

    HttpResponseCodecProvider(JsonMapper json, ResponseHeads heads, ReplayedHeaders headers) {
        this.json = json;
        this.heads = heads;
        this.headers = headers;
    }

    @Override
    public Optional<ResultCodec> codecFor(String operation, Argument<?> type, ResultCodecs codecs) {
        if (!HttpResponse.class.isAssignableFrom(type.getType())) {
            return Optional.empty();
        }
        Argument<?> body = type.getFirstTypeVariable().orElse(Argument.OBJECT_ARGUMENT);
        if (OpenResponseCodec.isOpen(body)) {
            return Optional.of(new OpenResponseCodec(
                    new HttpResponseCodec(json, heads, headers.of(operation), new OpenBodyCodec(json))));
        }
        return Optional.of(new HttpResponseCodec(json, heads, headers.of(operation), codecs.codecFor(operation, body)));
    }
}
