// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.rabbit.publisher;

import io.delayqueue.delivery.Delivery;
import io.delayqueue.delivery.TaskDestination;
import io.delayqueue.internal.concurrent.Scheduler;
import io.delayqueue.internal.engine.DeliveryObservation;
import io.delayqueue.internal.rabbit.confirm.AfterConfirms;
import io.delayqueue.internal.rabbit.confirm.ConfirmChannels;
import io.delayqueue.internal.rabbit.confirm.ConfirmCounts;
import io.delayqueue.internal.rabbit.confirm.RabbitConfirms;
import io.delayqueue.internal.rabbit.connection.BrokerConnection;
import io.delayqueue.internal.rabbit.connection.RabbitPublisherOptions;
import io.delayqueue.internal.rabbit.isolation.FatalMessages;
import io.delayqueue.internal.rabbit.isolation.Gates;
import io.delayqueue.internal.rabbit.isolation.Publishing;
import io.delayqueue.internal.rabbit.isolation.PublishingOptions;
import io.delayqueue.internal.rabbit.isolation.RabbitRefusal;
import io.delayqueue.internal.rabbit.trigger.OutgoingMapper;
import io.delayqueue.internal.rabbit.trigger.RabbitDestination;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import org.springframework.amqp.rabbit.connection.CachingConnectionFactory;
import org.springframework.beans.factory.DisposableBean;

/**
 * The publishing connection of all triggers of an application. It is separate from the application's own connection, so
 * that a resource alarm does not affect the application's consumers, and this connection can have short time-outs.
 *
 * <p>Connects on a separate thread when a trigger first needs it. Every call to the broker, including every write, ends
 * within the time-outs of the options. A connection is closed if the broker no longer reads from it. Thread-safe.
 */
public final class RabbitPublisher implements DisposableBean {

    private final CachingConnectionFactory connectionFactory;
    private final RabbitPublisherOptions options;
    private final Scheduler timer = new Scheduler();
    private final ThreadPoolExecutor confirms;
    private final ConfirmChannels channels;
    private final ConfirmChannels trial;
    private final ReentrantLock turn = new ReentrantLock(true);
    private final Gates gates;
    private final FatalMessages fatal = new FatalMessages();
    private final ConfirmCounts confirmed = new ConfirmCounts();

    /**
     * Creates a publisher that owns the connection factory and applies the publisher's settings to it.
     *
     * @param connectionFactory factory with the application's servers, credentials and TLS settings; not shared, not
     *     connected yet, and closed with the publisher
     */
    public RabbitPublisher(CachingConnectionFactory connectionFactory, RabbitPublisherOptions options) {
        this.connectionFactory = connectionFactory;
        this.options = options;
        this.gates = new Gates(options.longestPause());
        CachingConnectionFactory second = new CachingConnectionFactory(
                connectionFactory.getRabbitConnectionFactory().clone());
        this.channels = ConfirmChannels.over(connectionFactory, options, timer, "delivery waits for a connection");
        this.trial = ConfirmChannels.over(
                second,
                options.withConnectionName(options.connectionName() + "-trial"),
                timer,
                "messages that made the broker close the first connection wait for this second "
                        + "connection to RabbitMQ; a limit on connections must allow it");
        BrokerConnection first = channels.broker();
        second.setAddressResolver(() -> List.of(first.lastNode()));
        // The pool grows with the number of ending batches, so that blocking application code does not delay other
        // queues.
        this.confirms = new ThreadPoolExecutor(
                0, Integer.MAX_VALUE, 10, TimeUnit.SECONDS, new SynchronousQueue<>(), BrokerConnection.THREADS);
    }

    /**
     * Connects now, instead of when a trigger first needs the connection, and makes the declarations.
     *
     * @return whether the broker accepts messages; if not, the reason is logged and triggers retry
     */
    public boolean connect() {
        return channels.broker().unavailableOnceConnected().isZero();
    }

    /** Returns the options of the connection. */
    public RabbitPublisherOptions options() {
        return options;
    }

    /** Returns the connection factory, for declarations and checks. Do not reconfigure or close it. */
    public CachingConnectionFactory connectionFactory() {
        return connectionFactory;
    }

    /**
     * Returns a snapshot of the addresses whose messages the broker currently nacks, for queues that do not count
     * nacks.
     */
    public List<RabbitRefusal> refusals() {
        return gates.refusals();
    }

    /** Returns the counts of the broker's answers since this publisher was created. */
    public RabbitConfirms confirms() {
        return confirmed.counts();
    }

    /** Returns whether a connection is open. Does not connect or block. */
    public boolean isConnected() {
        return channels.broker().isConnected();
    }

    /** Returns whether the last attempt to connect failed; {@code false} before the first attempt. Does not block. */
    public boolean isUnreachable() {
        return channels.broker().isUnreachable();
    }

    /** Returns whether the broker has blocked its publishers, for example because of low memory or disk space. */
    public boolean isBlocked() {
        return channels.broker().isBlocked();
    }

    public TaskDestination destination(
            OutgoingMapper mapper, PublishingOptions how, Function<Delivery, DeliveryObservation> observations) {
        return destination(mapper, how, observations, confirms);
    }

    public TaskDestination destination(
            OutgoingMapper mapper,
            PublishingOptions how,
            Function<Delivery, DeliveryObservation> observations,
            Executor afterConfirms) {
        AfterConfirms after = new AfterConfirms(afterConfirms, timer);
        Publishing publishing = new Publishing(channels, trial, turn, gates, fatal, confirmed, after);
        return new RabbitDestination(mapper, how, observations, publishing);
    }

    /** Closes the connection. Stop the triggers first. */
    @Override
    public void destroy() {
        trial.close();
        channels.close();
        // Close the timer last, because batches without an answer wait for the end of the connection.
        timer.close();
        confirms.shutdown();
    }
}
