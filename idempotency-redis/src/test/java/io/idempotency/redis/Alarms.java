package io.idempotency.redis;

import io.idempotency.runtime.store.RecordsMayBeMissing;
import io.micronaut.context.event.ApplicationEventListener;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Keeps what a store says about records that may be missing, and then fails, which must not matter. */
@Singleton
class Alarms implements ApplicationEventListener<RecordsMayBeMissing> {

    private final List<RecordsMayBeMissing> heard = new CopyOnWriteArrayList<>();

    @Override
    public void onApplicationEvent(RecordsMayBeMissing event) {
        heard.add(event);
        throw new IllegalStateException("a defect of the listener, which must not stop claims");
    }

    List<RecordsMayBeMissing> heard() {
        return heard;
    }
}
