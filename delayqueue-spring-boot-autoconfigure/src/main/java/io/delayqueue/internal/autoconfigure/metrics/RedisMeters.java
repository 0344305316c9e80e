// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.autoconfigure.metrics;

import io.delayqueue.internal.redis.RedisFailures;
import io.delayqueue.internal.store.TaskStore;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.function.ToDoubleFunction;

/** Counts calls that Redis did not answer. */
record RedisMeters(TaskStore store) implements MeterBinder {

    static final String FAILURES = "delayqueue.redis.failures";

    @Override
    public void bindTo(MeterRegistry registry) {
        bind(registry, "timeout", RedisFailures::timeouts);
        bind(registry, "unavailable", RedisFailures::unavailable);
    }

    private void bind(MeterRegistry registry, String reason, ToDoubleFunction<RedisFailures> count) {
        FunctionCounter.builder(FAILURES, store.failures(), count)
                .description("Calls that failed because Redis did not answer in time or could not be reached")
                .tag("reason", reason)
                .register(registry);
    }
}
