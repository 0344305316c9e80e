// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.autoconfigure.tracing;

import io.delayqueue.rabbit.PublishObservationContext;
import io.delayqueue.rabbit.PublishObservationConvention;
import io.micrometer.common.KeyValues;

/** OpenTelemetry's conventions for messaging; the destination is the delay queue. */
final class OpenTelemetryPublishConvention implements PublishObservationConvention {

    @Override
    public String getName() {
        return "messaging.client.operation.duration";
    }

    @Override
    public String getContextualName(PublishObservationContext context) {
        return "publish " + context.delivery().queue();
    }

    @Override
    public KeyValues getLowCardinalityKeyValues(PublishObservationContext context) {
        return Messaging.lowCardinality(
                "rabbitmq", "publish", "send", context.delivery().queue());
    }

    @Override
    public KeyValues getHighCardinalityKeyValues(PublishObservationContext context) {
        return Messaging.highCardinality(context.delivery().id(), context.getError())
                .and(
                        "delayqueue.attempt",
                        Integer.toString(context.delivery().attempt()),
                        "delayqueue.outcome",
                        context.outcome());
    }
}
