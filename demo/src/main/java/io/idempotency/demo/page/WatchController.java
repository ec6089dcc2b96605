package io.idempotency.demo.page;

import io.idempotency.demo.provider.Charges;
import io.idempotency.runtime.IdempotencyRecords;
import io.idempotency.runtime.store.StoredRecord;
import io.micronaut.core.annotation.Nullable;
import io.micronaut.http.MediaType;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.QueryValue;
import io.micronaut.http.sse.Event;
import io.micronaut.serde.annotation.Serdeable;
import java.time.Duration;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.scheduler.Schedulers;

/** One payment, live: what is remembered of its key, and what the provider really did, as server-sent events. */
@Controller("/watch")
class WatchController {

    private static final Duration PACE = Duration.ofMillis(200);
    private static final Duration LONGEST = Duration.ofMinutes(10);

    private final IdempotencyRecords records;
    private final Charges charges;

    WatchController(IdempotencyRecords records, Charges charges) {
        this.records = records;
        this.charges = charges;
    }

    /**
     * What there is at a moment.
     *
     * @param state of the record, {@code ABSENT} without one
     * @param attempt how often the body may have been started
     * @param charges how many charges the provider made with one key, at most
     */
    @Serdeable
    record Watched(String state, int attempt, int charges) {}

    /** An event for each change; the browser connects again when it ends. */
    @Get(produces = MediaType.TEXT_EVENT_STREAM)
    Publisher<Event<Watched>> watch(@QueryValue String key, @QueryValue String orderId) {
        return Flux.interval(Duration.ZERO, PACE)
                .onBackpressureDrop()
                .publishOn(Schedulers.boundedElastic(), 1)
                .map(tick -> look(key, orderId))
                .distinctUntilChanged()
                .map(Event::of)
                .take(LONGEST);
    }

    private Watched look(String key, String orderId) {
        StoredRecord record = records.find("charge-payment", key, null)
                .map(IdempotencyRecords.Audited::record)
                .orElse(null);
        return watched(record, charges.mostWithOneKey(orderId));
    }

    private static Watched watched(@Nullable StoredRecord record, int charges) {
        return record == null
                ? new Watched("ABSENT", 0, charges)
                : new Watched(record.state().name(), record.attempt(), charges);
    }
}
