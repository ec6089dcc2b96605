package io.idempotency.runtime.tracing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.idempotency.IdempotentOperation;
import io.micronaut.context.annotation.Property;
import io.micronaut.context.annotation.Requires;
import io.micronaut.test.extensions.junit5.annotation.MicronautTest;
import io.micronaut.tracing.annotation.NewSpan;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.context.Context;
import io.opentelemetry.sdk.trace.ReadWriteSpan;
import io.opentelemetry.sdk.trace.ReadableSpan;
import io.opentelemetry.sdk.trace.SpanProcessor;
import io.opentelemetry.sdk.trace.data.SpanData;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** With Micronaut's OpenTelemetry module, as its users have it. */
@MicronautTest(startApplication = false)
@Property(name = "idempotency.store", value = "memory")
@Property(name = "otel.traces.exporter", value = "none")
@Property(name = "test.spans", value = "true")
class CallSpansTest {

    private static final String SECRET = "jane@example.org";

    /** Keeps what ends. */
    @Singleton
    @Requires(property = "test.spans")
    static class Spans implements SpanProcessor {
        final List<SpanData> ended = new CopyOnWriteArrayList<>();

        @Override
        public void onStart(Context parent, ReadWriteSpan span) {}

        @Override
        public boolean isStartRequired() {
            return false;
        }

        @Override
        public void onEnd(ReadableSpan span) {
            ended.add(span.toSpanData());
        }

        @Override
        public boolean isEndRequired() {
            return true;
        }
    }

    @Singleton
    @Requires(property = "test.spans")
    static class Shop {
        @NewSpan("checkout")
        @IdempotentOperation(value = "sell-traced", key = "id")
        public String sell(String id, boolean fail) {
            if (fail) {
                throw new IllegalStateException("not for " + SECRET);
            }
            return "sold";
        }

        @NewSpan("checkout-later")
        @IdempotentOperation(value = "sell-traced-later", key = "id")
        public CompletionStage<String> later(String id) {
            return CompletableFuture.supplyAsync(() -> "sold");
        }
    }

    @Inject
    Shop shop;

    @Inject
    Spans spans;

    @BeforeEach
    void forget() {
        spans.ended.clear();
    }

    private List<SpanData> ours() {
        return spans.ended.stream()
                .filter(span -> span.getName().startsWith("idempotent "))
                .toList();
    }

    private static String attribute(SpanData span, String name) {
        return String.valueOf(span.getAttributes().get(AttributeKey.stringKey(name)));
    }

    @Test
    void aReplayLeadsToTheCallThatRan() {
        shop.sell("1" + SECRET, false);
        shop.sell("1" + SECRET, false);
        assertThat(ours()).hasSize(2);
        SpanData ran = ours().get(0);
        SpanData replay = ours().get(1);
        assertThat(attribute(ran, "idempotency.outcome")).isEqualTo("executed");
        assertThat(attribute(replay, "idempotency.outcome")).isEqualTo("replayed");
        assertThat(attribute(replay, "idempotency.record.id"))
                .isEqualTo(attribute(ran, "idempotency.record.id"))
                .matches("[0-9a-f]{8}");
        assertThat(ran.getName()).isEqualTo("idempotent sell-traced");
        assertThat(attribute(ran, "idempotency.store")).isEqualTo("memory");
        assertThat(ran.getLinks()).isEmpty();
        assertThat(replay.getLinks())
                .singleElement()
                .satisfies(link -> assertThat(link.getSpanContext().getTraceId())
                        .isEqualTo(ran.getTraceId())
                        .isNotEqualTo(replay.getTraceId()));
        assertThat(replay.getLinks().get(0).getSpanContext().getSpanId()).isEqualTo(ran.getParentSpanId());
        assertThat(ran.getEndEpochNanos()).isGreaterThan(ran.getStartEpochNanos());
        assertThat(ours().toString()).doesNotContain(SECRET);
    }

    @Test
    void aSpanIsBelowItsCallersAlsoWhenTheAnswerComesLater() throws Exception {
        shop.later("2").toCompletableFuture().get(30, TimeUnit.SECONDS);
        shop.sell("2", false);
        assertThat(ours())
                .hasSize(2)
                .allSatisfy(span -> assertThat(span.getParentSpanContext().isValid())
                        .as(span.getName())
                        .isTrue());
    }

    @Test
    void aFailureIsAnErrorWithItsTypeAndNoText() {
        assertThat(catchThrowable(() -> shop.sell("3", true))).isNotNull();
        assertThat(ours()).singleElement().satisfies(span -> {
            assertThat(attribute(span, "idempotency.outcome")).isEqualTo("failed-final");
            assertThat(attribute(span, "error.type")).isEqualTo("java.lang.IllegalStateException");
            assertThat(span.toString()).doesNotContain(SECRET);
        });
    }
}
