package io.idempotency.http.server;

import io.micronaut.context.annotation.ConfigurationInject;
import io.micronaut.context.annotation.EachProperty;
import io.micronaut.context.annotation.Parameter;
import io.micronaut.core.annotation.Nullable;
import java.util.List;

/** {@code idempotency.http.operations.<operation>.*} as far as it is about replays, of configured routes too. */
@EachProperty(OperationReplayConfiguration.PREFIX)
final class OperationReplayConfiguration {

    static final String PREFIX = "idempotency.http.operations";

    private final String name;
    private final @Nullable List<String> replayedHeaders;

    /**
     * As written.
     *
     * @param name the operation's name
     * @param replayedHeaders the header fields that are repeated beside those of all operations
     */
    @ConfigurationInject
    OperationReplayConfiguration(@Parameter String name, @Nullable List<String> replayedHeaders) {
        this.name = name;
        this.replayedHeaders = replayedHeaders;
    }

    String name() {
        return name;
    }

    String property() {
        return PREFIX + "." + name + ".replayed-headers";
    }

    @Nullable
    List<String> replayedHeaders() {
        return replayedHeaders;
    }
}
