package io.idempotency.runtime.tracing;

import io.idempotency.runtime.Outcome;
import io.idempotency.runtime.OutcomeListener;
import io.idempotency.runtime.call.Invocation.OwnerTokens;
import io.micronaut.context.annotation.Requires;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanBuilder;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.SpanId;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.TraceFlags;
import io.opentelemetry.api.trace.TraceId;
import io.opentelemetry.api.trace.TraceState;
import io.opentelemetry.api.trace.Tracer;
import jakarta.inject.Singleton;
import java.time.Instant;
import java.util.UUID;

/**
 * Writes one span for each call, below the caller's span. Writes it when the call is over, so the body's spans are
 * beside it, not below. A replay has a link to the span around the call that ran, and both have the first digits of the
 * record's id. A span has no personal data.
 */
@Singleton
@Requires(classes = OpenTelemetry.class)
@Requires(beans = OpenTelemetry.class)
final class CallSpans implements OutcomeListener {

    private static final String SCOPE = "io.idempotency";
    private static final AttributeKey<String> OPERATION = AttributeKey.stringKey("idempotency.operation");
    private static final AttributeKey<String> STORE = AttributeKey.stringKey("idempotency.store");
    private static final AttributeKey<String> OUTCOME = AttributeKey.stringKey("idempotency.outcome");
    private static final AttributeKey<String> RECORD = AttributeKey.stringKey("idempotency.record.id");
    private static final AttributeKey<String> ERROR = AttributeKey.stringKey("error.type");

    private final Tracer tracer;

    CallSpans(OpenTelemetry telemetry) {
        this.tracer = telemetry.getTracer(SCOPE);
    }

    @Override
    public void onOutcome(Call call, Outcome outcome) {
        Instant end = Instant.now();
        SpanBuilder builder = tracer.spanBuilder("idempotent " + call.operation())
                .setStartTimestamp(end.minus(call.took()))
                .setAttribute(OPERATION, call.operation())
                .setAttribute(STORE, call.store())
                .setAttribute(OUTCOME, outcome.label())
                .setAttribute(RECORD, call.id().shownDigits());
        Outcome.FirstRun first = outcome.first();
        if (first != null) {
            // OpenTelemetry ignores a link to an invalid context
            builder.addLink(TracedOwners.around(first.owner()));
        }
        Span span = builder.startSpan();
        if (outcome instanceof Outcome.Threw threw) {
            span.setStatus(StatusCode.ERROR);
            span.setAttribute(ERROR, threw.failure().getClass().getName());
        }
        span.end(end);
    }

    /**
     * Creates owner tokens that name the span around the call, so that a replay can link to the trace of the call that ran:
     * the ids of trace and span as OpenTelemetry writes them, then 64 random bits, because one span may make many calls.
     */
    @Singleton
    @Requires(beans = OpenTelemetry.class)
    static final class TracedOwners implements OwnerTokens {

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
}
