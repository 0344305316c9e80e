// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.rabbit.publisher;

import io.delayqueue.delivery.TaskDestination;
import io.delayqueue.internal.concurrent.BackgroundWorker;
import io.delayqueue.internal.concurrent.Guard;
import io.delayqueue.internal.engine.DeadForwarding;
import io.delayqueue.internal.engine.Engine;
import io.delayqueue.internal.queue.QueueSettings;
import io.delayqueue.internal.rabbit.connection.GrowingPause;
import io.delayqueue.internal.rabbit.isolation.PublishingOptions;
import io.delayqueue.internal.rabbit.trigger.MessageMaker;
import io.delayqueue.internal.rabbit.trigger.OutgoingMapper;
import io.delayqueue.rabbit.RabbitAddress;
import io.delayqueue.rabbit.RabbitHeaders;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;

/**
 * Forwards the dead tasks of a queue to a RabbitMQ exchange at least once. Discards a task only after the broker has
 * acked, and not returned, its message. One process at a time forwards the tasks of a queue. Another process takes over
 * if that process stops, no longer responds or has no broker. Messages have the {@link RabbitHeaders} and the reason of
 * the death ({@link DeadForwarding#REASON_HEADER} and related headers). If the broker does not accept a message, the
 * task remains dead and is retried. While the broker accepts no messages, the pauses double from the period to one
 * minute.
 */
public final class RabbitDeadLetterForwarder implements SmartLifecycle {

    private static final Logger log = LoggerFactory.getLogger(RabbitDeadLetterForwarder.class);
    private static final Duration LONGEST_PAUSE = Duration.ofMinutes(1);

    private final Engine engine;
    private final QueueSettings queue;
    private final RabbitPublisher publisher;
    private final RabbitRoute route;
    private final Duration period;
    private @Nullable Running running;

    /**
     * @param route route of the messages, with an exchange
     * @param period pause between two checks for dead tasks
     */
    public RabbitDeadLetterForwarder(
            Engine engine, QueueSettings queue, RabbitPublisher publisher, RabbitRoute route, Duration period) {
        this.engine = engine;
        this.queue = queue;
        this.publisher = publisher;
        this.route = route;
        this.period = period;
    }

    @Override
    public synchronized void start() {
        if (running != null) {
            return;
        }
        Duration confirmTimeout = publisher.options().confirmTimeout();
        String exchange = String.valueOf(route.exchange());
        String routingKey = (route.routingKey() != null) ? route.routingKey() : queue.name();
        RabbitAddress only = new RabbitAddress(exchange, routingKey);
        TaskDestination destination = publisher.destination(
                new OutgoingMapper(delivery -> only, MessageMaker.PLAIN, only),
                new PublishingOptions(confirmTimeout, 0, false),
                PublishObservations.NONE::start);
        DeadForwarding forwarding = engine.deadForwarding(queue, destination, silence(confirmTimeout));
        BackgroundWorker thread = engine.scheduler().worker();
        running = new Running(thread, destination, forwarding);
        GrowingPause pause = new GrowingPause(period, LONGEST_PAUSE.compareTo(period) > 0 ? LONGEST_PAUSE : period);
        thread.every(period, () -> {
            publisher.connect();
            if (pause.left().isZero()) {
                forward(forwarding, exchange, pause);
            } else {
                stay(forwarding);
            }
        });
    }

    /** Returns more than twice the time of a batch without confirms, including the check whether the broker answers. */
    private Duration silence(Duration confirmTimeout) {
        return confirmTimeout
                .plus(publisher.options().rpcTimeout())
                .multipliedBy(2)
                .plus(period);
    }

    /**
     * Forwards all dead tasks. Pauses while the broker accepts no messages; otherwise each run would send another copy
     * of all tasks.
     */
    private void forward(DeadForwarding forwarding, String exchange, GrowingPause pause) {
        try {
            forwarding.run();
        } catch (RuntimeException ex) {
            log.warn(
                    "Queue '{}': could not forward dead tasks to exchange '{}'; retrying in {}: {}",
                    queue.name(),
                    exchange,
                    period,
                    ex.getMessage());
        }
        int forwarded = forwarding.forwarded();
        if (forwarded > 0 || forwarding.leftNothing()) {
            pause.reset();
        } else if (forwarding.leftSome()) {
            pause.trouble();
        }
        if (forwarded > 0) {
            log.warn("Queue '{}': forwarded {} dead task(s) to exchange '{}'", queue.name(), forwarded, exchange);
        }
    }

    /**
     * Keeps the claim during a pause. Otherwise another process would start without a pause and send all tasks at once.
     */
    private void stay(DeadForwarding forwarding) {
        try {
            forwarding.stay();
        } catch (RuntimeException ex) {
            log.debug("Queue '{}': another process may forward its dead tasks now", queue.name(), ex);
        }
    }

    /** Waits for the current run, up to the maximum time for publishing, and then lets another process take over. */
    @Override
    public synchronized void stop() {
        Running ending = running;
        if (ending == null) {
            return;
        }
        running = null;
        BackgroundWorker thread = ending.thread();
        Guard.run(
                log,
                "Could not hand over to another process; it takes over later",
                () -> thread.execute(() -> end(ending.forwarding())));
        thread.finish();
        ending.destination().close();
        try {
            if (!thread.awaitEnd(publisher.options().rpcTimeout())) {
                thread.close();
            }
        } catch (InterruptedException ex) {
            thread.close();
            Thread.currentThread().interrupt();
        }
    }

    private void end(DeadForwarding forwarding) {
        try {
            forwarding.end();
        } catch (RuntimeException ex) {
            log.debug(
                    "Queue '{}': could not release the claim on its dead tasks; another process can forward them when "
                            + "the claim expires",
                    queue.name(),
                    ex);
        }
    }

    @Override
    public synchronized boolean isRunning() {
        return running != null;
    }

    private record Running(BackgroundWorker thread, TaskDestination destination, DeadForwarding forwarding) {}
}
