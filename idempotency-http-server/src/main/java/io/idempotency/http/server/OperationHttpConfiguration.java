package io.idempotency.http.server;

import io.micronaut.context.annotation.ConfigurationInject;
import io.micronaut.context.annotation.EachProperty;
import io.micronaut.context.annotation.Parameter;
import io.micronaut.core.annotation.Nullable;
import java.util.List;

/** {@code idempotency.http.operations.<operation>.*} as far as it is about header fields, for configured routes too. */
@EachProperty(OperationHttpConfiguration.PREFIX)
final class OperationHttpConfiguration {

    static final String PREFIX = "idempotency.http.operations";

    private final String name;
    private final @Nullable List<String> replayedHeaders;
    private final @Nullable String header;

    /**
     * As written.
     *
     * @param name the operation's name
     * @param replayedHeaders the header fields that are repeated beside those of all operations
     * @param header the header field that carries the key
     */
    @ConfigurationInject
    OperationHttpConfiguration(
            @Parameter String name, @Nullable List<String> replayedHeaders, @Nullable String header) {
        this.name = name;
        this.replayedHeaders = replayedHeaders;
        this.header = header;
    }

    String name() {
        return name;
    }

    /** Where a property of this operation is written. */
    String property(String property) {
        return PREFIX + "." + name + "." + property;
    }

    @Nullable
    List<String> replayedHeaders() {
        return replayedHeaders;
    }

    @Nullable
    String header() {
        return header;
    }
}
