// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.rabbit;

import io.delayqueue.DelayQueueException;
import io.delayqueue.delivery.Delivery;
import io.delayqueue.delivery.TaskDestination;
import io.delayqueue.internal.input.DurationText;
import io.delayqueue.internal.rabbit.confirm.Outgoing;
import io.delayqueue.internal.rabbit.isolation.PublishingOptions;
import io.delayqueue.internal.rabbit.trigger.MessageMaker;
import io.delayqueue.internal.rabbit.trigger.NoMessageException;
import io.delayqueue.internal.rabbit.trigger.OutgoingMapper;
import io.delayqueue.trigger.ScanTrigger;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.annotation.Autowired;

/**
 * A trigger that publishes the due tasks of one queue to a RabbitMQ exchange. Subclass it and name the queue; exchange
 * and routing key come from the configuration or from what you override:
 *
 * <pre>{@code
 * @Component
 * class OrderTimeoutTrigger extends RabbitScanTrigger {
 *
 *     OrderTimeoutTrigger() {
 *         super("orders");
 *     }
 *
 *     @Override
 *     protected String exchange() {
 *         return "shop";
 *     }
 * }
 * }</pre>
 *
 * <p>Messages are persistent and mandatory, and a task is deleted only after the broker has confirmed its message and
 * has not returned it; {@link RabbitHeaders} says what a message carries. An unroutable message, a missing exchange or a
 * confirm that does not come in time counts as a failed attempt and is tried again as the queue's retry policy says. A
 * broker that is down or blocks its publishers does not count: until it takes messages again no task is acquired. Nor
 * does a nack, as of a queue that is full, unless {@code rabbit.count-nacks} says so: the tasks for that address wait
 * until the broker takes messages there again.
 */
public abstract class RabbitScanTrigger extends ScanTrigger {

    /**
     * Unconfirmed batches of a trigger beside those its workers are at. More of them made a classic queue no faster.
     */
    static final int BATCHES_AHEAD = 4;

    private static final Logger log = LoggerFactory.getLogger(RabbitScanTrigger.class);

    private RabbitRoutes routes = RabbitRoutes.NONE;
    private @Nullable RabbitPublisher publisher;
    private @Nullable RabbitPublishers publishers;
    private PublishObservations observations = PublishObservations.NONE;
    private List<RabbitMessageCustomizer> customizers = List.of();
    private volatile boolean toldOfNoPublisher;

    /** @param queue name of a configured queue */
    protected RabbitScanTrigger(String queue) {
        super(queue);
    }

    /** Called by the container, if it has one. Without one this trigger does not start with the application. */
    @Autowired(required = false)
    public void setRabbitPublisher(RabbitPublisher publisher) {
        this.publisher = publisher;
    }

    /** Called by the container, if it has them; then the publisher of this queue is used. */
    @Autowired(required = false)
    public void setRabbitPublishers(RabbitPublishers publishers) {
        this.publishers = publishers;
    }

    /** Called by the container, if it has any. */
    @Autowired(required = false)
    public void setRabbitMessageCustomizers(List<RabbitMessageCustomizer> customizers) {
        this.customizers = List.copyOf(customizers);
    }

    /** Called by the container, if it has any. */
    @Autowired(required = false)
    public void setPublishObservations(PublishObservations observations) {
        this.observations = observations;
    }

    /** Called by the container, if it has routes. */
    @Autowired(required = false)
    public void setRabbitRoutes(RabbitRoutes routes) {
        this.routes = routes;
    }

    /**
     * Name of the exchange, empty for the broker's default exchange; {@code delayqueue.queues.*.rabbit.exchange} unless
     * overridden. Asked for every task, on the thread that delivers. If it throws, or returns null, that task's attempt
     * fails.
     *
     * @throws DelayQueueException if it is neither configured nor overridden
     */
    protected String exchange() {
        String exchange = routes.get(queue()).exchange();
        if (exchange == null) {
            throw new DelayQueueException(
                    "Queue '" + queue() + "' has no exchange to deliver to. Set delayqueue.queues." + queue()
                            + ".rabbit.exchange, or override exchange() in "
                            + getClass().getName());
        }
        return exchange;
    }

    /** The routing key; {@code delayqueue.queues.*.rabbit.routing-key} unless overridden, or else the queue's name. */
    protected String routingKey() {
        String routingKey = routes.get(queue()).routingKey();
        return (routingKey != null) ? routingKey : queue();
    }

    /**
     * The routing key for one task; {@link #routingKey()} unless overridden. Called on the thread that delivers; must
     * be quick and leave the delivery's outcome alone. If it throws, or returns null, that task's attempt fails with a
     * reason that names this method, and the others of its batch go on.
     */
    protected String routingKey(Delivery delivery) {
        return routingKey();
    }

    /** How long to wait for confirms; {@code delayqueue.queues.*.rabbit.confirm-timeout} unless overridden. */
    protected Duration confirmTimeout() {
        Duration confirmTimeout = routes.get(queue()).confirmTimeout();
        return (confirmTimeout != null) ? confirmTimeout : publisher().options().confirmTimeout();
    }

    @Override
    protected final TaskDestination createDestination() {
        Duration confirmTimeout = RabbitPublisherOptions.CONFIRM_TIMEOUT.check(
                "Queue '" + queue() + "': confirmTimeout() of " + getClass().getName(), confirmTimeout());
        Duration lease = settings().lease();
        if (lease.compareTo(confirmTimeout.multipliedBy(2)) < 0) {
            throw new DelayQueueException("Queue '" + queue() + "': its lease of " + DurationText.of(lease)
                    + " must be at least twice the confirm time-out of " + DurationText.of(confirmTimeout)
                    + ". Change delayqueue.queues."
                    + queue() + ".lease or the confirm time-out");
        }
        RabbitRoute route = routes.get(queue());
        String exchange = exchange();
        Outgoing.Address only = hasOneAddress() ? new Outgoing.Address(exchange, routingKey()) : null;
        OutgoingMapper mapper = new OutgoingMapper(this::route, new MessageMaker(route.message(), customizers), only);
        return publisher()
                .destination(
                        mapper,
                        new PublishingOptions(confirmTimeout, BATCHES_AHEAD, route.countNacks()),
                        observations::start);
    }

    /** Connects to the broker on the calling thread, if need be. */
    @Override
    public int scanOnce(int limit) {
        publisher().connect();
        return super.scanOnce(limit);
    }

    @Override
    public boolean isAutoStartup() {
        if (publisher != null || publishers != null) {
            return super.isAutoStartup();
        }
        if (!toldOfNoPublisher) {
            toldOfNoPublisher = true;
            log.info(
                    "Queue '{}': its trigger {} does not start, for there is no RabbitPublisher in this process, as"
                            + " where delayqueue.rabbit.enabled is false. Its tasks wait for a process that has one",
                    queue(),
                    getClass().getName());
        }
        return false;
    }

    /** Whether all tasks go where {@link #exchange()} and {@link #routingKey()} say now. */
    boolean hasOneAddress() {
        return false;
    }

    private Outgoing.Address route(Delivery delivery) {
        return new Outgoing.Address(
                said("exchange()", this::exchange), said("routingKey(Delivery)", () -> routingKey(delivery)));
    }

    /** What a method of the application says of one task. */
    private String said(String method, Supplier<@Nullable String> answer) {
        String text;
        try {
            text = answer.get();
        } catch (Throwable ex) { // also a checked one that code without checked exceptions let through
            throw noRoute(method, "threw " + ex.getClass().getName(), ex);
        }
        if (text == null) {
            throw noRoute(method, "returned null", null);
        }
        return text;
    }

    private NoMessageException noRoute(String method, String problem, @Nullable Throwable cause) {
        return new NoMessageException("no route: " + getClass().getName() + "." + method + " " + problem, cause);
    }

    private RabbitPublisher publisher() {
        if (publishers != null) {
            return publishers.get(queue());
        }
        if (publisher == null) {
            throw new DelayQueueException("The trigger for queue '" + queue()
                    + "' has no publisher. Declare it as a bean, or call setRabbitPublisher");
        }
        return publisher;
    }
}
