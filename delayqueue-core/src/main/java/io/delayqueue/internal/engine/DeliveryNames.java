// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.engine;

import io.delayqueue.delivery.Delivery;
import io.micrometer.common.KeyValues;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationConvention;
import java.util.function.Function;

/**
 * Default names and tags of the observation of deliveries.
 *
 * @param verb what happens to the delivery, for example {@code handle}
 * @param tags the tags with few values
 */
public record DeliveryNames<C extends Observation.Context>(
        String verb, Class<C> type, Function<C, Delivery> delivery, Function<C, KeyValues> tags)
        implements ObservationConvention<C> {

    @Override
    public String getName() {
        return "delayqueue." + verb;
    }

    @Override
    public String getContextualName(C context) {
        return verb + " " + delivery.apply(context).queue();
    }

    @Override
    public KeyValues getLowCardinalityKeyValues(C context) {
        return tags.apply(context).and("queue", delivery.apply(context).queue());
    }

    @Override
    public KeyValues getHighCardinalityKeyValues(C context) {
        Delivery delivered = delivery.apply(context);
        return KeyValues.of(
                "delayqueue.task", delivered.id(), "delayqueue.attempt", Integer.toString(delivered.attempt()));
    }

    @Override
    public boolean supportsContext(Observation.Context context) {
        return type.isInstance(context);
    }
}
