package io.idempotency.runtime.metrics;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.binder.BaseUnits;
import io.micronaut.context.annotation.Requires;
import io.micronaut.core.util.StringUtils;
import jakarta.inject.Singleton;
import java.util.function.ToDoubleFunction;

/** Registers meters as {@link Meter} describes them. */
@Singleton
@Requires(classes = MeterRegistry.class)
@Requires(beans = MeterRegistry.class)
@Requires(
        property = MetricsConfiguration.PREFIX + ".enabled",
        value = StringUtils.TRUE,
        defaultValue = StringUtils.TRUE)
final class Meters {

    private final MeterRegistry registry;

    Meters(MeterRegistry registry) {
        this.registry = registry;
    }

    /** Its values in the order of its tags. */
    Counter counter(Meter meter, String... values) {
        return Counter.builder(meter.id())
                .description(meter.description())
                .tags(tags(meter, values))
                .register(registry);
    }

    Timer timer(Meter meter, String... values) {
        return Timer.builder(meter.id())
                .description(meter.description())
                .tags(tags(meter, values))
                .register(registry);
    }

    /** Registers a gauge, which does not keep what it measures from being collected. */
    <T> void gauge(Meter meter, T measured, ToDoubleFunction<T> value, String... values) {
        Gauge.builder(meter.id(), measured, value)
                .description(meter.description())
                .baseUnit(meter.kind() == Meter.Kind.BYTES ? BaseUnits.BYTES : null)
                .tags(tags(meter, values))
                .register(registry);
    }

    private static Tags tags(Meter meter, String... values) {
        Tags tags = Tags.empty();
        for (int i = 0; i < meter.tags().size(); i++) {
            tags = tags.and(meter.tags().get(i), values[i]);
        }
        return tags;
    }
}
