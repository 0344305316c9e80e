// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.rabbit;

import io.delayqueue.delivery.Delivery;
import io.delayqueue.delivery.TaskDestination;
import io.delayqueue.internal.concurrent.Guard;
import io.delayqueue.internal.engine.LibraryDestination;
import io.micrometer.observation.Observation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Has another destination deliver, each delivery inside an observation that ends with its outcome. */
final class ObservedDestination implements LibraryDestination {

    private static final Logger log = LoggerFactory.getLogger(ObservedDestination.class);

    private final TaskDestination destination;
    private final PublishObservations observations;

    ObservedDestination(TaskDestination destination, PublishObservations observations) {
        this.destination = destination;
        this.observations = observations;
    }

    @Override
    public void deliver(List<Delivery> deliveries) {
        List<Delivery> observed = new ArrayList<>(deliveries.size());
        deliveries.forEach(delivery -> observed.add(observed(delivery)));
        try {
            destination.deliver(observed);
        } catch (Throwable ex) {
            forObserved(observed, delivery -> delivery.endBy(ex));
            throw ex;
        }
        forObserved(observed, ObservedDelivery::endIfBrokenOff);
    }

    private static void forObserved(List<Delivery> deliveries, Consumer<ObservedDelivery> step) {
        for (Delivery delivery : deliveries) {
            if (delivery instanceof ObservedDelivery observed) {
                step.accept(observed);
            }
        }
    }

    /** What observers throw is logged, and the task is delivered all the same. */
    private Delivery observed(Delivery delivery) {
        try {
            PublishObservationContext context = new PublishObservationContext(delivery);
            Observation observation = Observation.start(
                    observations.convention(),
                    PublishObservationConvention.DEFAULT,
                    () -> context,
                    observations.registry());
            return new ObservedDelivery(delivery, context, observation);
        } catch (Throwable ex) {
            Guard.tell(() -> log.error("An observer failed; {} is delivered all the same", delivery, ex));
            return delivery;
        }
    }

    @Override
    public Duration unavailableFor() {
        return destination.unavailableFor();
    }

    @Override
    public int batchesAhead() {
        return destination.batchesAhead();
    }

    @Override
    public String kind() {
        return destination.kind();
    }

    @Override
    public void close() {
        destination.close();
    }
}
