// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.rabbit;

import io.delayqueue.engine.DeadForwarding;
import io.delayqueue.engine.TaskDestination;
import io.delayqueue.queue.QueueLayouts;
import io.delayqueue.queue.QueueSettings;
import io.delayqueue.seam.SteadyThread;
import io.delayqueue.store.TaskStore;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;

/**
 * Moves the dead tasks of a queue to a RabbitMQ exchange, at least once: a task is discarded from Redis only after the
 * broker's ack without a return. Messages carry what {@link RabbitHeaders} says and why the task died
 * ({@link DeadForwarding#REASON_HEADER} and its siblings). What the broker does not take stays dead and is tried again.
 */
public final class RabbitDeadLetterForwarder implements SmartLifecycle {

    private static final Logger log = LoggerFactory.getLogger(RabbitDeadLetterForwarder.class);

    private final QueueSettings queue;
    private final TaskStore store;
    private final RabbitPublisher publisher;
    private final QueueLayouts layouts;
    private final RabbitRoute route;
    private final Duration period;
    private @Nullable SteadyThread thread;
    private @Nullable TaskDestination destination;

    /**
     * @param route where to; its exchange is given
     * @param period pause between two looks at the dead tasks
     */
    public RabbitDeadLetterForwarder(
            QueueSettings queue,
            TaskStore store,
            QueueLayouts layouts,
            RabbitPublisher publisher,
            RabbitRoute route,
            Duration period) {
        this.queue = queue;
        this.store = store;
        this.layouts = layouts;
        this.publisher = publisher;
        this.route = route;
        this.period = period;
    }

    @Override
    public synchronized void start() {
        if (thread != null) {
            return;
        }
        Duration confirmTimeout = (route.confirmTimeout() != null)
                ? route.confirmTimeout()
                : publisher.options().confirmTimeout();
        String exchange = String.valueOf(route.exchange());
        String routingKey = (route.routingKey() != null) ? route.routingKey() : queue.name();
        destination = publisher.destination(
                new OutgoingMapper(delivery -> new OutgoingMapper.Address(exchange, routingKey)), confirmTimeout, 0);
        DeadForwarding forwarding = new DeadForwarding(queue, store, layouts, destination);
        thread = new SteadyThread("delayqueue-" + queue.name() + "-dead-");
        thread.every(period, () -> forward(forwarding, exchange));
    }

    private void forward(DeadForwarding forwarding, String exchange) {
        try {
            int forwarded = forwarding.run();
            if (forwarded > 0) {
                log.warn("Queue '{}': moved {} dead tasks to exchange '{}'", queue.name(), forwarded, exchange);
            }
        } catch (RuntimeException ex) {
            log.warn(
                    "Queue '{}': dead tasks were not moved to exchange '{}'; tried again in {}: {}",
                    queue.name(),
                    exchange,
                    period,
                    ex.getMessage());
        }
    }

    /** Lets a run that is under way end, for as long as publishing may take. */
    @Override
    public synchronized void stop() {
        if (thread == null || destination == null) {
            return;
        }
        thread.finish();
        destination.close();
        try {
            if (!thread.awaitEnd(publisher.options().rpcTimeout())) {
                thread.close();
            }
        } catch (InterruptedException ex) {
            thread.close();
            Thread.currentThread().interrupt();
        }
        thread = null;
        destination = null;
    }

    @Override
    public synchronized boolean isRunning() {
        return thread != null;
    }
}
