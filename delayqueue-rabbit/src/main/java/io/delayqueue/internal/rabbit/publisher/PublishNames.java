// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.rabbit.publisher;

import io.delayqueue.rabbit.PublishObservationContext;
import io.micrometer.common.KeyValues;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationConvention;

/** Default names and tags of the observation of deliveries to RabbitMQ. */
final class PublishNames implements ObservationConvention<PublishObservationContext> {

    static final PublishNames DEFAULT = new PublishNames();

    private PublishNames() {}

    @Override
    public String getName() {
        return "delayqueue.publish";
    }

    @Override
    public String getContextualName(PublishObservationContext context) {
        return "publish " + context.delivery().queue();
    }

    @Override
    public KeyValues getLowCardinalityKeyValues(PublishObservationContext context) {
        return KeyValues.of(
                "outcome", context.outcome(), "queue", context.delivery().queue());
    }

    @Override
    public KeyValues getHighCardinalityKeyValues(PublishObservationContext context) {
        return KeyValues.of(
                "delayqueue.task",
                context.delivery().id(),
                "delayqueue.attempt",
                Integer.toString(context.delivery().attempt()));
    }

    @Override
    public boolean supportsContext(Observation.Context context) {
        return context instanceof PublishObservationContext;
    }
}
