package io.idempotency.runtime.tracing;

import io.idempotency.runtime.Outcome;
import io.idempotency.runtime.OutcomeListener;
import io.micronaut.context.annotation.Requires;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanBuilder;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.Tracer;
import jakarta.inject.Singleton;
import java.time.Instant;

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
}
