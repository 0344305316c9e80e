// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.autoconfigure.tracing;

import io.delayqueue.client.ScheduleObservationContext;
import io.delayqueue.client.ScheduleObservationConvention;
import io.micrometer.common.KeyValues;

/** OpenTelemetry's conventions for messaging; the destination is the delay queue. */
final class OpenTelemetryScheduleConvention implements ScheduleObservationConvention {

    @Override
    public String getName() {
        return "messaging.client.operation.duration";
    }

    @Override
    public String getContextualName(ScheduleObservationContext context) {
        return (context.operation().equals("schedule") ? "send" : context.operation()) + " " + context.queue();
    }

    /** Tasks are sent; what changes them settles them. */
    @Override
    public KeyValues getLowCardinalityKeyValues(ScheduleObservationContext context) {
        boolean sends = context.operation().equals("schedule");
        return Messaging.lowCardinality("delayqueue", context.operation(), sends ? "send" : "settle", context.queue());
    }

    @Override
    public KeyValues getHighCardinalityKeyValues(ScheduleObservationContext context) {
        return Messaging.highCardinality(context.id(), context.getError()).and("delayqueue.outcome", context.outcome());
    }
}
