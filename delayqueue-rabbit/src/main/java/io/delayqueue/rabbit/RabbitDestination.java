// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.rabbit;

import io.delayqueue.engine.Delivery;
import io.delayqueue.engine.TaskDestination;
import io.delayqueue.seam.Seam;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Publishes tasks to RabbitMQ, each batch on a channel of its own. What was published gets its outcome from {@link
 * BrokerVerdicts}; what was not is released.
 *
 * <p>A worker that has published a batch goes on with the next one while the broker confirms, as classic queues confirm in
 * bursts. It waits for its batch where as many as allowed are unconfirmed already, or the oldest of them has been for long: a
 * broker that is slow is not given more than the workers can wait for.
 */
final class RabbitDestination implements TaskDestination {

    private static final Logger log = LoggerFactory.getLogger(RabbitDestination.class);

    private final OutgoingMapper mapper;
    private final Duration confirmTimeout;
    private final int batchesAhead;
    private final BrokerConnection broker;
    private final ConfirmChannels channels;
    private final Executor confirms;
    private final BrokerVerdicts verdicts;
    private final FailedAttempts failed = new FailedAttempts();
    private final Set<Published> running = ConcurrentHashMap.newKeySet();
    private volatile boolean withoutThreads;
    private volatile boolean closed;

    /**
     * @param batchesAhead how many batches may be unconfirmed when their {@link #deliver} has returned; with 0 all outcomes are
     *     called before it returns
     * @param confirms runs what follows a confirm that no worker waits for; must not queue behind what may block. What it
     *     refuses is run where the answer came in
     */
    RabbitDestination(
            OutgoingMapper mapper,
            Duration confirmTimeout,
            int batchesAhead,
            BrokerConnection broker,
            ConfirmChannels channels,
            Executor confirms) {
        this.mapper = mapper;
        this.confirmTimeout = confirmTimeout;
        this.batchesAhead = batchesAhead;
        this.broker = broker;
        this.channels = channels;
        this.confirms = confirms;
        this.verdicts = new BrokerVerdicts(confirmTimeout, broker, channels, failed);
    }

    @Override
    public Duration unavailableFor() {
        return broker.unavailableFor();
    }

    @Override
    public int batchesAhead() {
        return batchesAhead;
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
        Published published = batch.isEmpty() ? null : publish(batch, false);
        if (published == null) {
            return;
        }
        if (mayGoOn()) {
            CompletableFuture<Void> over = published.tracker().over();
            if (Seam.run(log, "A worker waits for its confirms", () -> endInTime(over))) {
                over.thenRun(() -> endElsewhere(published));
                return;
            }
        }
        await(published);
        end(published);
    }

    private void endInTime(CompletableFuture<Void> over) {
        over.completeOnTimeout(null, confirmTimeout.toNanos(), TimeUnit.NANOSECONDS);
    }

    /** Whether the worker may leave its batch alone, which is among those that run. */
    private boolean mayGoOn() {
        long patience = confirmTimeout.toNanos() / 4;
        long now = System.nanoTime();
        int count = 0;
        for (Published other : running) {
            if (++count > batchesAhead || now - other.start() > patience) {
                return false;
            }
        }
        return true;
    }

    /** Publishes a batch. Returns null if none of it was, and every task has its outcome. */
    private @Nullable Published publish(List<Outgoing> batch, boolean again) {
        ConfirmChannel channel = channelFor(batch, again);
        if (channel == null) {
            return null;
        }
        Published published = new Published(batch, channel, channel.track(batch), System.nanoTime(), again);
        running.add(published);
        if (closed) {
            published.tracker().end(new CancellationException("the trigger is closed"));
        }
        try {
            published.tracker().sealed(publishAll(channel, published.tracker(), batch));
            return published;
        } catch (Throwable ex) {
            running.remove(published);
            channels.discard(channel);
            throw ex;
        }
    }

    private void await(Published published) {
        try {
            published.tracker().await(confirmTimeout);
        } catch (InterruptedException ex) {
            published.tracker().end(new CancellationException("interrupted"));
            Thread.currentThread().interrupt();
        }
    }

    /** Not on the calling thread, which reads the connection or is the JDK's timer, unless there is no other. */
    private void endElsewhere(Published published) {
        try {
            confirms.execute(() -> endLater(published));
            withoutThreads = false;
        } catch (Throwable ex) {
            if (!withoutThreads) {
                withoutThreads = true;
                Seam.tell(() -> log.warn(
                        "Batches end on the thread that reads the connection, as there is no other: {}",
                        ex.toString()));
            }
            endLater(published);
        }
    }

    private void endLater(Published published) {
        try {
            end(published);
        } catch (Throwable ex) {
            Seam.tell(() -> log.error("The deliveries without outcome have failed", ex));
            published
                    .batch()
                    .forEach(outgoing -> outgoing.delivery()
                            .fail(
                                    "the outcome could not be told: "
                                            + ex.getClass().getName(),
                                    true));
        }
    }

    /**
     * Calls the outcomes of a batch for which no more answers are awaited. The answers are read before the channel is thrown
     * away: the end that this makes of the channel is none that the broker made.
     */
    private void end(Published published) {
        running.remove(published);
        BatchAnswers answers = published.tracker().answers();
        if (published.tracker().leavesChannelReusable()) {
            channels.giveBack(published.channel());
        } else {
            channels.discard(published.channel());
        }
        List<Outgoing> suspects =
                verdicts.apply(published.batch(), answers, published.channel(), published.start(), published.again());
        if (!suspects.isEmpty()) {
            publishAlone(suspects);
        }
    }

    /** One of them made the broker close the channel; alone each shows whether it was the one. */
    private void publishAlone(List<Outgoing> suspects) {
        ConfirmChannel channel = channelFor(suspects, true);
        if (channel == null) {
            return;
        }
        channels.giveBack(channel);
        for (Outgoing suspect : suspects) {
            Published published = publish(new ArrayList<>(List.of(suspect)), true);
            if (published != null) {
                await(published);
                end(published);
            }
        }
    }

    /** Returns null when there is nothing to publish on it: then every task of the batch has its outcome. */
    private @Nullable ConfirmChannel channelFor(List<Outgoing> batch, boolean again) {
        try {
            while (!broker.isBlocked() && !batch.isEmpty()) {
                ConfirmChannel channel = channels.borrow();
                if (!dropRefused(channel, batch, again)) {
                    return channel;
                }
                channels.discard(channel);
            }
        } catch (Throwable ex) {
            log.debug("{} task(s) not published", batch.size(), ex);
            channels.breakIfSilent(ex);
            broker.unusable(ex);
        }
        batch.forEach(outgoing -> verdicts.notPublished(outgoing.delivery(), again));
        return null;
    }

    /** Fails, and removes from the batch, what goes to an exchange that the broker refuses. The channel is closed then. */
    private boolean dropRefused(ConfirmChannel channel, List<Outgoing> batch, boolean again) throws IOException {
        for (Outgoing candidate : batch) {
            String exchange = candidate.exchange();
            String objection = channel.objectionTo(exchange);
            if (objection != null) {
                batch.stream()
                        .filter(outgoing -> outgoing.exchange().equals(exchange))
                        .forEach(outgoing -> failed.fail(outgoing, objection, again));
                batch.removeIf(outgoing -> outgoing.exchange().equals(exchange));
                return true;
            }
        }
        return false;
    }

    /** Returns false if the channel must not be used again, whatever the broker answers. */
    private boolean publishAll(ConfirmChannel channel, ConfirmTracker tracker, List<Outgoing> batch) {
        for (int i = 0; i < batch.size(); i++) {
            Outgoing outgoing = batch.get(i);
            boolean leaseTooShort = outgoing.delivery().leaseRemaining().compareTo(confirmTimeout) < 0;
            if (leaseTooShort || broker.isBlocked() || tracker.end() != null) {
                return true;
            }
            try {
                if (!channel.publish(tracker, i, outgoing, confirmTimeout)) {
                    return false;
                }
            } catch (IllegalArgumentException ex) {
                outgoing.delivery().bury("cannot be an AMQP message: " + ex.getMessage());
                return false;
            }
        }
        return true;
    }

    @Override
    public void close() {
        closed = true;
        running.forEach(published -> published.tracker().end(new CancellationException("the trigger is closed")));
    }

    /**
     * A batch for which answers are awaited.
     *
     * @param start when its publishing began, in {@link System#nanoTime()}
     * @param again whether it was published before, under the same lease
     */
    private record Published(
            List<Outgoing> batch, ConfirmChannel channel, ConfirmTracker tracker, long start, boolean again) {

        @Override
        public boolean equals(@Nullable Object other) {
            return this == other;
        }

        @Override
        public int hashCode() {
            return System.identityHashCode(this);
        }
    }
}
