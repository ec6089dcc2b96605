package io.idempotency.runtime.codec;

import io.idempotency.runtime.ResultCodec;
import io.micronaut.core.type.Argument;
import java.util.Optional;

/** Makes codecs for result types that need more than JSON. Beans of this type are tried in their order. */
public interface ResultCodecProvider {

    /** Returns a codec for an operation's results; empty when this provider does not know the type. */
    Optional<ResultCodec> codecFor(String operation, Argument<?> type, ResultCodecs codecs);
}
