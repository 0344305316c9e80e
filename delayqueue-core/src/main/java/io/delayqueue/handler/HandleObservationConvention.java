// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.handler;

import io.micrometer.common.KeyValues;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationConvention;

/** Names and tags of the observation of deliveries to handlers. A bean of this type replaces the default. */
public interface HandleObservationConvention extends ObservationConvention<HandleObservationContext> {

    /** {@code delayqueue.handle} with the queue. Id and attempt are high-cardinality keys. */
    HandleObservationConvention DEFAULT = new HandleObservationConvention() {

        @Override
        public String getName() {
            return "delayqueue.handle";
        }

        @Override
        public String getContextualName(HandleObservationContext context) {
            return "handle " + context.delivery().queue();
        }

        @Override
        public KeyValues getLowCardinalityKeyValues(HandleObservationContext context) {
            return KeyValues.of("queue", context.delivery().queue());
        }

        @Override
        public KeyValues getHighCardinalityKeyValues(HandleObservationContext context) {
            return KeyValues.of(
                    "delayqueue.task",
                    context.delivery().id(),
                    "delayqueue.attempt",
                    Integer.toString(context.delivery().attempt()));
        }
    };

    @Override
    default boolean supportsContext(Observation.Context context) {
        return context instanceof HandleObservationContext;
    }
}
