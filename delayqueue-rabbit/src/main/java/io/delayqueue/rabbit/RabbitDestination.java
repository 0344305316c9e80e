// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.rabbit;

import io.delayqueue.delivery.Delivery;
import io.delayqueue.internal.engine.LibraryDestination;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Publishes tasks to RabbitMQ, each batch on a channel of its own.
 *
 * <p>A worker that has published a batch goes on with the next one while the broker confirms, because classic queues
 * confirm in bursts. It waits for its batch where as many as allowed are unconfirmed already, or the oldest of them has
 * been for long: a broker that is slow is not given more than the workers can wait for.
 *
 * <p>What goes to one of the {@link SilentAddresses} is published apart from what goes elsewhere, and no worker waits
 * for it. Where nothing goes elsewhere there is nothing to keep apart, and workers wait as ever.
 *
 * <p>What goes to one of the {@link RefusingAddresses} is published apart too, as much as that admits. Where the
 * queue's tasks can go nowhere else, none of them is acquired during a pause.
 *
 * <p>What is among the {@link FatalMessages} goes last and one by one, and the worker waits for it.
 */
final class RabbitDestination implements LibraryDestination {

    /**
     * The broker reads 400 messages of a channel that it delays, and then nothing more of the whole connection.
     */
    private static final int MOST_ON_CHANNEL = 300;

    private static final int TIMEOUTS_UNTIL_ALONE = 10;

    private final OutgoingMapper mapper;
    private final PublishingOptions how;
    private final Duration confirmTimeout;
    private final BrokerConnection broker;
    private final SilentAddresses silent;
    private final RefusingAddresses refusing;
    private final FatalMessages fatal;
    private final FailedAttempts failed = new FailedAttempts();
    private final PublishedBatches batches;
    private volatile OutgoingMapper.@Nullable Address onlyAddress;
    private volatile long onlySince;

    RabbitDestination(OutgoingMapper mapper, PublishingOptions how, PublisherConnection connection) {
        this.mapper = mapper;
        this.how = how;
        this.confirmTimeout = how.confirmTimeout();
        this.broker = connection.broker();
        this.silent = connection.silent();
        this.refusing = connection.refusing();
        this.fatal = connection.fatal();
        this.batches = new PublishedBatches(how, connection, failed);
    }

    @Override
    public Duration unavailableFor() {
        Duration broken = broker.unavailableFor();
        OutgoingMapper.Address only = mapper.onlyAddress();
        if (!broken.isZero() || only == null || how.countNacks() || !refusing.isAny()) {
            return broken;
        }
        return refusing.closedFor(only);
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
    public void deliver(List<Delivery> deliveries) {
        List<Outgoing> batch = new ArrayList<>(deliveries.size());
        for (Delivery delivery : deliveries) {
            Outgoing outgoing = mapper.map(delivery, failed);
            if (outgoing != null) {
                batch.add(outgoing);
            }
        }
        List<Outgoing> alone = fatal.isAny() ? fatal.takeApart(batch) : List.of();
        List<List<Outgoing>> refused = (refusing.isAny() && !how.countNacks()) ? refusing.takeApart(batch) : List.of();
        if (silent.isAny()) {
            List<List<Outgoing>> apart = silent.takeApart(batch);
            boolean waits = how.batchesAhead() == 0 || isAlone(batch, apart);
            apart.forEach(waits ? this::deliverInParts : this::deliverApart);
        }
        deliverInParts(batch);
        refused.forEach(this::deliverRefused);
        batches.deliverFatal(alone, false);
    }

    /** Whether all that came for some time went to one address, from which none but its own tasks can be kept. */
    private boolean isAlone(List<Outgoing> others, List<List<Outgoing>> apart) {
        long now = System.nanoTime();
        OutgoingMapper.Address one =
                (others.isEmpty() && apart.size() == 1) ? apart.get(0).get(0).to() : null;
        if (one == null || !one.equals(onlyAddress)) {
            onlyAddress = one;
            onlySince = now;
        }
        return now - onlySince
                >= confirmTimeout.multipliedBy(TIMEOUTS_UNTIL_ALONE).toNanos();
    }

    private void deliverInParts(List<Outgoing> batch) {
        for (int from = 0; from < batch.size(); from += MOST_ON_CHANNEL) {
            int to = Math.min(batch.size(), from + MOST_ON_CHANNEL);
            PublishedBatch published = batches.publish(new ArrayList<>(batch.subList(from, to)), false);
            if (published != null && !(mayGoOn() && batches.endsByItself(published))) {
                batches.endHere(published);
            }
        }
    }

    /** Whether the worker may leave its batch alone, which is among those that run. */
    private boolean mayGoOn() {
        long patience = confirmTimeout.toNanos() / 4;
        long now = System.nanoTime();
        int count = 0;
        for (PublishedBatch other : batches.running()) {
            if (!other.apart() && (++count > how.batchesAhead() || now - other.start() > patience)) {
                return false;
            }
        }
        return true;
    }

    /** What may not go now waits, uncounted: nothing of it was sent. */
    private void deliverRefused(List<Outgoing> batch) {
        OutgoingMapper.Address address = batch.get(0).to();
        int now = refusing.admit(address, Math.min(batch.size(), MOST_ON_CHANNEL), confirmTimeout.multipliedBy(2));
        if (now > 0) {
            PublishedBatch published = batches.publish(new ArrayList<>(batch.subList(0, now)), true);
            if (published == null) {
                refusing.answered(address, 0, 0);
            } else if (how.batchesAhead() == 0 || !batches.endsByItself(published)) {
                batches.endHere(published);
            }
        }
        for (Outgoing outgoing : batch.subList(now, batch.size())) {
            outgoing.delivery()
                    .postpone(
                            "waits: the broker nacks what goes to " + outgoing.address(),
                            refusing.hold(address, false),
                            false);
        }
    }

    /**
     * Where a batch for the address is under way, the next one waits for about its end, uncounted: nothing of it was
     * sent.
     */
    private void deliverApart(List<Outgoing> batch) {
        OutgoingMapper.Address address = batch.get(0).to();
        int now = silent.begin(address) ? Math.min(batch.size(), MOST_ON_CHANNEL) : 0;
        if (now > 0) {
            publishApart(address, new ArrayList<>(batch.subList(0, now)));
        }
        for (Outgoing outgoing : batch.subList(now, batch.size())) {
            outgoing.delivery()
                    .postpone("waits for others: no confirm came for " + outgoing.address(), confirmTimeout, false);
        }
    }

    private void publishApart(OutgoingMapper.Address address, List<Outgoing> batch) {
        PublishedBatch published = null;
        try {
            published = batches.publish(batch, true);
        } finally {
            if (published == null) {
                silent.end(address);
            }
        }
        if (published != null) {
            published.tracker().over().thenRun(() -> silent.end(address));
            if (!batches.endsByItself(published)) {
                batches.endHere(published);
                silent.end(address);
            }
        }
    }

    @Override
    public void close() {
        batches.close();
    }
}
