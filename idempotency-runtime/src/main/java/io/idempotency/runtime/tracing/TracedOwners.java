package io.idempotency.runtime.tracing;

import io.idempotency.runtime.call.OwnerTokens;
import io.micronaut.context.annotation.Requires;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.SpanId;
import io.opentelemetry.api.trace.TraceFlags;
import io.opentelemetry.api.trace.TraceId;
import io.opentelemetry.api.trace.TraceState;
import jakarta.inject.Singleton;
import java.util.UUID;

/**
 * Creates owner tokens that name the span around the call, so that a replay can link to the trace of the call that ran:
 * the ids of trace and span as OpenTelemetry writes them, then 64 random bits, because one span may make many calls.
 */
@Singleton
@Requires(beans = OpenTelemetry.class)
final class TracedOwners implements OwnerTokens {

    private static final int IDS = TraceId.getLength() + SpanId.getLength();
    private static final int LENGTH = IDS + 16;

    @Override
    public String get() {
        SpanContext around = Span.current().getSpanContext();
        UUID random = UUID.randomUUID();
        return around.isValid()
                ? around.getTraceId()
                        + around.getSpanId()
                        + SpanId.fromLong(random.getLeastSignificantBits() ^ random.getMostSignificantBits())
                : random.toString();
    }

    /** Returns the span around the call that claimed with this token; an invalid one if there was none. */
    static SpanContext around(String owner) {
        if (owner.length() != LENGTH) {
            return SpanContext.getInvalid();
        }
        return SpanContext.createFromRemoteParent(
                owner.substring(0, TraceId.getLength()),
                owner.substring(TraceId.getLength(), IDS),
                TraceFlags.getSampled(),
                TraceState.getDefault());
    }
}
