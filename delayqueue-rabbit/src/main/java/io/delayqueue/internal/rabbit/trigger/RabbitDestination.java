// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.rabbit.trigger;

import io.delayqueue.delivery.Delivery;
import io.delayqueue.delivery.OpenDelivery;
import io.delayqueue.delivery.Outcome;
import io.delayqueue.internal.engine.DeliveryObservation;
import io.delayqueue.internal.engine.LibraryDestination;
import io.delayqueue.internal.rabbit.confirm.Outgoing;
import io.delayqueue.internal.rabbit.connection.BrokerConnection;
import io.delayqueue.internal.rabbit.isolation.FailedAttempts;
import io.delayqueue.internal.rabbit.isolation.FatalMessages;
import io.delayqueue.internal.rabbit.isolation.Gates;
import io.delayqueue.internal.rabbit.isolation.PublishedBatch;
import io.delayqueue.internal.rabbit.isolation.PublishedBatches;
import io.delayqueue.internal.rabbit.isolation.Publishing;
import io.delayqueue.internal.rabbit.isolation.PublishingOptions;
import io.delayqueue.rabbit.RabbitAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * Publishes tasks to RabbitMQ, each batch on a separate channel.
 *
 * <p>After publishing a batch, a worker continues with the next one before the broker confirms, because classic queues
 * confirm in bursts. The worker waits if too many batches are unconfirmed, or if the oldest has been unconfirmed for a
 * long time. Therefore, a slow broker does not receive more batches than the workers can wait for.
 *
 * <p>Messages for addresses with {@link Gates} are published separately, in the number that the gate admits. If all
 * tasks of the queue have the same address, no tasks are acquired while its gate is closed. {@link FatalMessages} are
 * published last, one at a time, and the worker waits for them.
 */
public final class RabbitDestination implements LibraryDestination {

    /**
     * Maximum number of messages on a channel whose answers the broker may delay. After 400 such messages, the broker
     * stops reading from the connection.
     */
    private static final int MOST_ON_CHANNEL = 300;

    private final OutgoingMapper mapper;
    private final PublishingOptions how;
    private final Function<Delivery, DeliveryObservation> observations;
    private final BrokerConnection broker;
    private final Gates gates;
    private final FatalMessages fatal;
    private final FailedAttempts failed = new FailedAttempts();
    private final PublishedBatches batches;

    public RabbitDestination(
            OutgoingMapper mapper,
            PublishingOptions how,
            Function<Delivery, DeliveryObservation> observations,
            Publishing publishing) {
        this.mapper = mapper;
        this.how = how;
        this.observations = observations;
        this.broker = publishing.channels().broker();
        this.gates = publishing.gates();
        this.fatal = publishing.fatal();
        this.batches = new PublishedBatches(how, publishing, failed);
    }

    @Override
    public Duration unavailableFor() {
        Duration broken = broker.unavailableFor();
        RabbitAddress only = mapper.onlyAddress();
        return (!broken.isZero() || only == null || !gates.isAny()) ? broken : gates.closedFor(only);
    }

    @Override
    public int batchesAhead() {
        return how.batchesAhead();
    }

    @Override
    public String kind() {
        return "rabbitmq";
    }

    @Override
    public String address() {
        RabbitAddress only = mapper.onlyAddress();
        return only == null ? "RabbitMQ, with a separate address for each task" : only.toString();
    }

    @Override
    public DeliveryObservation observe(Delivery delivery) {
        return observations.apply(delivery);
    }

    @Override
    public void deliver(List<OpenDelivery> deliveries) {
        List<Outgoing> batch = new ArrayList<>(deliveries.size());
        for (OpenDelivery delivery : deliveries) {
            Outgoing outgoing = mapper.map(delivery, failed);
            if (outgoing != null) {
                batch.add(outgoing);
            }
        }
        List<Outgoing> alone = fatal.isAny() ? fatal.takeApart(batch) : List.of();
        List<List<Outgoing>> apart = gates.isAny() ? gates.takeApart(batch) : List.of();
        deliverInParts(batch);
        apart.forEach(this::deliverApart);
        batches.deliverFatal(alone, false);
    }

    private void deliverInParts(List<Outgoing> batch) {
        for (int from = 0; from < batch.size(); from += MOST_ON_CHANNEL) {
            int to = Math.min(batch.size(), from + MOST_ON_CHANNEL);
            PublishedBatch published = batches.publish(batch.subList(from, to), false);
            if (published != null && !(mayGoOn() && batches.endsByItself(published))) {
                batches.endHere(published);
            }
        }
    }

    /** Returns whether the worker may continue without waiting for its batch. */
    private boolean mayGoOn() {
        long patience = how.confirmTimeout().toNanos() / 4;
        long now = System.nanoTime();
        int count = 0;
        for (PublishedBatch other : batches.running()) {
            if (!other.apart() && (++count > how.batchesAhead() || now - other.start() > patience)) {
                return false;
            }
        }
        return true;
    }

    /**
     * Publishes the messages that the gate admits. The other tasks wait; their messages were not sent, so no attempt is
     * counted.
     */
    private void deliverApart(List<Outgoing> batch) {
        RabbitAddress address = batch.get(0).to();
        int wanted = Math.min(batch.size(), MOST_ON_CHANNEL);
        int now = gates.admit(address, wanted, how.confirmTimeout().multipliedBy(2));
        if (now > 0) {
            PublishedBatch published = batches.publish(batch.subList(0, now), true);
            if (published == null) {
                gates.answered(address, 0, 0, false);
            } else if (how.batchesAhead() == 0 || !batches.endsByItself(published)) {
                batches.endHere(published);
            }
        }
        for (Outgoing outgoing : batch.subList(now, batch.size())) {
            outgoing.delivery().settle(Outcome.postponed(gates.reason(address)).retryAfter(gates.hold(address)));
        }
    }

    @Override
    public void close() {
        batches.close();
    }
}
