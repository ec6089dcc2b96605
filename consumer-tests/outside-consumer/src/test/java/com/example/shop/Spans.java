package com.example.shop;

import io.opentelemetry.context.Context;
import io.opentelemetry.sdk.trace.ReadWriteSpan;
import io.opentelemetry.sdk.trace.ReadableSpan;
import io.opentelemetry.sdk.trace.SpanProcessor;
import io.opentelemetry.sdk.trace.data.SpanData;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Keeps the spans that a collector would get. */
@Singleton
class Spans implements SpanProcessor {

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
