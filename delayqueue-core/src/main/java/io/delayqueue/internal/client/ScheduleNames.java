// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.client;

import io.delayqueue.ScheduleObservationContext;
import io.micrometer.common.KeyValue;
import io.micrometer.common.KeyValues;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationConvention;

/** Default names and tags of the observation of calls. */
final class ScheduleNames implements ObservationConvention<ScheduleObservationContext> {

    static final ScheduleNames DEFAULT = new ScheduleNames();

    private ScheduleNames() {}

    @Override
    public String getName() {
        return "delayqueue.schedule";
    }

    @Override
    public String getContextualName(ScheduleObservationContext context) {
        return context.operation() + " " + context.queue();
    }

    @Override
    public KeyValues getLowCardinalityKeyValues(ScheduleObservationContext context) {
        return KeyValues.of(
                KeyValue.of("operation", context.operation()),
                KeyValue.of("outcome", context.outcome()),
                KeyValue.of("queue", context.queue()));
    }

    @Override
    public KeyValues getHighCardinalityKeyValues(ScheduleObservationContext context) {
        String id = context.id();
        return (id == null) ? KeyValues.empty() : KeyValues.of("delayqueue.task", id);
    }

    @Override
    public boolean supportsContext(Observation.Context context) {
        return context instanceof ScheduleObservationContext;
    }
}
