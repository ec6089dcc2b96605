package io.idempotency.http.server;

import io.micronaut.context.annotation.EachProperty;
import io.micronaut.context.annotation.Parameter;
import io.micronaut.core.annotation.Internal;
import io.micronaut.core.annotation.Nullable;
import java.util.List;
import java.util.Set;

/**
 * {@code idempotency.http.operations.<operation>.*}: the header fields of an operation, and what the answers of an annotated operation's
 * routes mean.
 *
 * @param name the operation's name
 * @param replayedHeaders the header fields that are repeated beside those of all operations
 * @param header the header field that carries the key
 * @param noEffectStatus the statuses that say that nothing was done
 * @param unknownStatus the statuses that leave open what was done
 */
@Internal
@EachProperty(OperationHttpConfiguration.PREFIX)
public record OperationHttpConfiguration(
        @Parameter String name,
        @Nullable List<String> replayedHeaders,
        @Nullable String header,
        @Nullable Set<Integer> noEffectStatus,
        @Nullable Set<Integer> unknownStatus) {

    /** Where the properties are. */
    public static final String PREFIX = "idempotency.http.operations";

    /** Where a property of this operation is written. */
    String property(String property) {
        return PREFIX + "." + name + "." + property;
    }
}
