// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.rabbit;

import io.delayqueue.DelayQueueException;
import io.delayqueue.delivery.Delivery;
import io.delayqueue.delivery.TaskDestination;
import io.delayqueue.internal.input.DurationText;
import io.delayqueue.internal.rabbit.connection.RabbitPublisherOptions;
import io.delayqueue.internal.rabbit.isolation.PublishingOptions;
import io.delayqueue.internal.rabbit.publisher.PublishObservations;
import io.delayqueue.internal.rabbit.publisher.RabbitPublisher;
import io.delayqueue.internal.rabbit.publisher.RabbitRoute;
import io.delayqueue.internal.rabbit.publisher.RabbitRoutes;
import io.delayqueue.internal.rabbit.publisher.TriggerExtensions;
import io.delayqueue.internal.rabbit.trigger.MessageMaker;
import io.delayqueue.internal.rabbit.trigger.NoMessageException;
import io.delayqueue.internal.rabbit.trigger.OutgoingMapper;
import io.delayqueue.internal.trigger.TriggerContext;
import io.delayqueue.trigger.ScanTrigger;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.util.ReflectionUtils;

/**
 * Trigger that publishes the due tasks of a queue to RabbitMQ. To choose the exchange and the routing key for each
 * task, subclass it or declare a {@link RabbitRouter} bean:
 * <pre>{@code
 * @Component
 * class OrderTimeoutTrigger extends RabbitScanTrigger {
 *
 *     OrderTimeoutTrigger() {
 *         super("orders");
 *     }
 *
 *     @Override
 *     protected RabbitAddress address(Delivery delivery) {
 *         return new RabbitAddress("shop." + delivery.content().headers().get("country"), "order.timeout");
 *     }
 * }
 * }</pre>
 *
 * <p>Messages are persistent and mandatory. {@link RabbitHeaders} describes the message. A task is deleted only after
 * the broker has confirmed, and not returned, the message. An unroutable message, a missing exchange or a missing
 * confirm counts as a failed attempt, and the task is retried according to the queue's retry policy. No attempt is
 * counted while the broker is down or blocks its publishers: no tasks are acquired until it accepts messages again. A
 * nack, for example from a full queue, does not count either, unless {@code rabbit.count-nacks} is set: the tasks wait
 * until the broker accepts messages for their address again.
 */
public abstract class RabbitScanTrigger extends ScanTrigger {

    /**
     * Maximum number of unconfirmed batches of a trigger, in addition to the batches that its workers are publishing. A
     * larger number did not make a classic queue faster.
     */
    static final int BATCHES_AHEAD = 4;

    private static final Logger log = LoggerFactory.getLogger(RabbitScanTrigger.class);

    private @Nullable TriggerContext context;
    private RabbitRoute route = RabbitRoute.NONE;
    private @Nullable RabbitPublisher publisher;
    private PublishObservations observations = PublishObservations.NONE;
    private List<RabbitMessageCustomizer> customizers = List.of();
    private @Nullable RabbitRouter router;
    private volatile boolean toldOfNoPublisher;

    /** @param queue name of a configured queue */
    protected RabbitScanTrigger(String queue) {
        super(queue);
    }

    /**
     * Called by the container. This trigger does not start with the application if the library's RabbitMQ beans are
     * missing.
     *
     * @throws DelayQueueException if two routers apply to this queue
     */
    @Override
    public void setBeanFactory(BeanFactory beans) {
        super.setBeanFactory(beans);
        this.context = beans.getBean(TriggerContext.class);
        this.publisher = beans.getBeanProvider(RabbitPublisher.class).getIfAvailable();
        this.observations =
                beans.getBeanProvider(PublishObservations.class).getIfAvailable(() -> PublishObservations.NONE);
        this.route = beans.getBeanProvider(RabbitRoutes.class)
                .getIfAvailable(() -> RabbitRoutes.NONE)
                .get(queue());
        TriggerExtensions extensions =
                beans.getBeanProvider(TriggerExtensions.class).getIfAvailable(() -> TriggerExtensions.NONE);
        this.customizers = extensions.customizers();
        this.router = router(extensions.routers());
    }

    private @Nullable RabbitRouter router(List<RabbitRouter> routers) {
        List<RabbitRouter> matching =
                routers.stream().filter(it -> it.queues().contains(queue())).toList();
        if (matching.isEmpty()) {
            matching = routers.stream().filter(it -> it.queues().isEmpty()).toList();
        }
        if (matching.size() > 1) {
            throw new DelayQueueException("Queue '" + queue() + "' has " + matching.size() + " RabbitRouter beans: "
                    + matching.stream().map(it -> it.getClass().getName()).toList()
                    + ". Keep only one, or give each of them its own queues");
        }
        return matching.isEmpty() ? null : matching.get(0);
    }

    /**
     * Returns the address for a task's message. By default, this is the address from the queue's {@link RabbitRouter}
     * or, without a router, the configured exchange and routing key ({@code delayqueue.queues.*.rabbit}).
     *
     * <p>Called for each attempt, on the delivering thread. Must be fast and must not settle the delivery. If it throws
     * or returns {@code null}, only this attempt fails, with a reason that names the method.
     *
     * @throws DelayQueueException if the queue has neither a router nor a configured exchange
     */
    protected RabbitAddress address(Delivery delivery) {
        return (router != null) ? router.route(delivery) : configuredAddress();
    }

    /**
     * Returns the maximum wait for confirms, at most half of the queue's lease. Default:
     * {@code delayqueue.rabbit.confirm-timeout}.
     */
    protected Duration confirmTimeout() {
        return publisher().options().confirmTimeout();
    }

    @Override
    protected final TaskDestination createDestination() {
        Duration confirmTimeout = RabbitPublisherOptions.CONFIRM_TIMEOUT.check(
                "Queue '" + queue() + "': confirmTimeout() of " + getClass().getName(), confirmTimeout());
        Duration lease = Objects.requireNonNull(context).queues().get(queue()).lease();
        if (lease.compareTo(confirmTimeout.multipliedBy(2)) < 0) {
            throw new DelayQueueException("Queue '" + queue() + "': its lease of " + DurationText.of(lease)
                    + " must be at least twice the confirm time-out of " + DurationText.of(confirmTimeout)
                    + ". Change delayqueue.queues."
                    + queue() + ".lease or the confirm time-out");
        }
        RabbitAddress only = (router != null || overridesAddress()) ? null : configuredAddress();
        MessageMaker messages =
                new MessageMaker(customizers, publisher().connectionFactory().getUsername());
        OutgoingMapper mapper = new OutgoingMapper(this::route, messages, only);
        return publisher()
                .destination(
                        mapper,
                        new PublishingOptions(confirmTimeout, BATCHES_AHEAD, route.countNacks()),
                        observations::start);
    }

    /** Connects to the broker on the calling thread, if necessary. */
    @Override
    public int scanOnce(int limit) {
        publisher().connect();
        return super.scanOnce(limit);
    }

    @Override
    public boolean isAutoStartup() {
        if (publisher != null) {
            return super.isAutoStartup();
        }
        if (!toldOfNoPublisher) {
            toldOfNoPublisher = true;
            log.info(
                    "Queue '{}': trigger {} is not started, because this process has no "
                            + "connection to RabbitMQ (for example delayqueue.rabbit.enabled is false). Its tasks "
                            + "wait for a process that has one",
                    queue(),
                    getClass().getName());
        }
        return false;
    }

    private boolean overridesAddress() {
        Method address = ReflectionUtils.findMethod(getClass(), "address", Delivery.class);
        // A native image may not contain the method.
        return address == null || address.getDeclaringClass() != RabbitScanTrigger.class;
    }

    private RabbitAddress configuredAddress() {
        if (route.exchange() == null) {
            throw new DelayQueueException(
                    "Queue '" + queue() + "' has no exchange to deliver to. Set delayqueue.queues."
                            + queue()
                            + ".rabbit.exchange, declare a RabbitRouter bean for the queue, or override address(Delivery) in "
                            + getClass().getName());
        }
        return new RabbitAddress(route.exchange(), (route.routingKey() != null) ? route.routingKey() : queue());
    }

    private RabbitAddress route(Delivery delivery) {
        RabbitAddress address;
        try {
            address = address(delivery);
        } catch (Throwable ex) { // Includes checked exceptions from code that bypasses the compiler.
            throw noRoute("threw " + ex.getClass().getName(), ex);
        }
        if (address == null) {
            throw noRoute("returned null", null);
        }
        return address;
    }

    private NoMessageException noRoute(String problem, @Nullable Throwable cause) {
        String method = (router != null && !overridesAddress())
                ? router.getClass().getName() + ".route(Delivery)"
                : getClass().getName() + ".address(Delivery)";
        return new NoMessageException("no route: " + method + " " + problem, cause);
    }

    private RabbitPublisher publisher() {
        if (publisher == null) {
            throw new DelayQueueException("The trigger for queue '" + queue()
                    + "' has no connection to RabbitMQ. Declare it as a bean of an application with the starter");
        }
        return publisher;
    }
}
