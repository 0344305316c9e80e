// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.autoconfigure.metrics;

import io.delayqueue.ScheduleObservationContext;
import io.delayqueue.internal.observation.ContextKeys;
import io.micrometer.common.KeyValue;
import io.micrometer.common.KeyValues;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.observation.MeterObservationHandler;
import io.micrometer.observation.Observation;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Times this library's observations, with the same names and tags as Micrometer's own handler. Faster, because it
 * caches the timers and creates no long task timers.
 */
final class TaskTimers implements MeterObservationHandler<Observation.Context> {

    static final int ORDER = 0;

    private final MeterRegistry registry;
    private final Map<Series, Timer> timers = new ConcurrentHashMap<>();

    TaskTimers(MeterRegistry registry) {
        this.registry = registry;
    }

    @Override
    public boolean supportsContext(Observation.Context context) {
        return ContextKeys.scheduledHeaders(context) != null || context instanceof ScheduleObservationContext;
    }

    @Override
    public void onStart(Observation.Context context) {
        context.put(Timer.Sample.class, Timer.start(registry));
    }

    @Override
    public void onStop(Observation.Context context) {
        Timer.Sample sample = context.getRequired(Timer.Sample.class);
        sample.stop(timer(Series.of(context)));
    }

    private Timer timer(Series series) {
        Timer known = timers.get(series);
        return (known != null) ? known : timers.computeIfAbsent(series, one -> one.timer(registry));
    }

    @Override
    public void onEvent(Observation.Event event, Observation.Context context) {
        Counter.builder(context.getName() + "." + event.getName())
                .tags(tags(context.getLowCardinalityKeyValues()))
                .register(registry)
                .increment();
    }

    private static Tags tags(KeyValues keys) {
        return Tags.of(keys.stream().map(TaskTimers::tag).toList());
    }

    private static Tag tag(KeyValue key) {
        return Tag.of(key.getKey(), key.getValue());
    }

    /** @param error simple name of the error's class; {@code none} for none */
    private record Series(@Nullable String name, KeyValues keys, String error) {

        static Series of(Observation.Context context) {
            Throwable error = context.getError();
            return new Series(
                    context.getName(),
                    context.getLowCardinalityKeyValues(),
                    (error == null) ? "none" : error.getClass().getSimpleName());
        }

        Timer timer(MeterRegistry registry) {
            return registry.timer(String.valueOf(name), tags(keys).and("error", error));
        }
    }
}
