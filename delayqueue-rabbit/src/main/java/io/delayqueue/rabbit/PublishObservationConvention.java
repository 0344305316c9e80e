// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.rabbit;

import io.micrometer.common.KeyValues;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationConvention;

/** Names and tags of the observation of deliveries to RabbitMQ. A bean of this type replaces the default. */
public interface PublishObservationConvention extends ObservationConvention<PublishObservationContext> {

    /** {@code delayqueue.publish} with queue and outcome. Id and attempt are high-cardinality keys. */
    PublishObservationConvention DEFAULT = new PublishObservationConvention() {

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
    };

    @Override
    default boolean supportsContext(Observation.Context context) {
        return context instanceof PublishObservationContext;
    }
}
