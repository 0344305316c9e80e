// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.handler;

import io.delayqueue.handler.HandleObservationContext;
import io.micrometer.common.KeyValues;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationConvention;

/** Default names and tags of the observation of deliveries to handlers. */
final class HandleNames implements ObservationConvention<HandleObservationContext> {

    static final HandleNames DEFAULT = new HandleNames();

    private HandleNames() {}

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

    @Override
    public boolean supportsContext(Observation.Context context) {
        return context instanceof HandleObservationContext;
    }
}
