package io.idempotency.redis;

import io.idempotency.runtime.store.RecordsMayBeMissing;
import io.micronaut.context.event.ApplicationEventListener;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Keeps what a store says about records that may be missing. */
@Singleton
class Alarms implements ApplicationEventListener<RecordsMayBeMissing> {

    private final List<RecordsMayBeMissing> heard = new CopyOnWriteArrayList<>();

    @Override
    public void onApplicationEvent(RecordsMayBeMissing event) {
        heard.add(event);
    }

    List<RecordsMayBeMissing> heard() {
        return heard;
    }
}
