// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.autoconfigure.tracing;

import io.delayqueue.handler.HandleObservationContext;
import io.delayqueue.handler.HandleObservationConvention;
import io.micrometer.common.KeyValues;

/** OpenTelemetry's conventions for messaging; the destination is the delay queue. */
final class OpenTelemetryHandleConvention implements HandleObservationConvention {

    @Override
    public String getName() {
        return "messaging.process.duration";
    }

    @Override
    public String getContextualName(HandleObservationContext context) {
        return "process " + context.delivery().queue();
    }

    @Override
    public KeyValues getLowCardinalityKeyValues(HandleObservationContext context) {
        return Messaging.lowCardinality(
                "delayqueue", "process", "process", context.delivery().queue());
    }

    @Override
    public KeyValues getHighCardinalityKeyValues(HandleObservationContext context) {
        return Messaging.highCardinality(context.delivery().id(), context.getError())
                .and("delayqueue.attempt", Integer.toString(context.delivery().attempt()));
    }
}
