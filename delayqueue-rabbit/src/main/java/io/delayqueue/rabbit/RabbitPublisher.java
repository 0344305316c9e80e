// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.rabbit;

import io.delayqueue.delivery.Delivery;
import io.delayqueue.delivery.TaskDestination;
import io.delayqueue.internal.concurrent.Scheduler;
import io.delayqueue.internal.engine.DeliveryObservation;
import io.delayqueue.internal.rabbit.confirm.AfterConfirms;
import io.delayqueue.internal.rabbit.confirm.ConfirmChannels;
import io.delayqueue.internal.rabbit.confirm.ConfirmCounts;
import io.delayqueue.internal.rabbit.connection.BrokerConnection;
import io.delayqueue.internal.rabbit.isolation.FatalMessages;
import io.delayqueue.internal.rabbit.isolation.Gates;
import io.delayqueue.internal.rabbit.isolation.Publishing;
import io.delayqueue.internal.rabbit.isolation.PublishingOptions;
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
 * The connection over which all triggers of an application publish. It is separate from the application's own
 * connection, so that an alarm of the broker stops neither its consumers nor its publishers, and so that its time-outs
 * are short.
 *
 * <p>Connects when a trigger first asks, on a thread of its own. Every call to the broker, every write included, ends
 * within the time-outs of the options: a connection whose broker no longer reads is closed. Thread-safe.
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
     * Takes over a connection factory and sets on it what a publisher needs.
     *
     * @param connectionFactory with servers, credentials and TLS as the application has them; for this publisher alone,
     *     not yet connected, and closed with it
     */
    public RabbitPublisher(CachingConnectionFactory connectionFactory, RabbitPublisherOptions options) {
        this.connectionFactory = connectionFactory;
        this.options = options;
        this.gates = new Gates(options.longestPause());
        CachingConnectionFactory second = new CachingConnectionFactory(
                connectionFactory.getRabbitConnectionFactory().clone());
        this.channels = ConfirmChannels.over(
                connectionFactory, options, timer, "nothing is delivered until there is a connection");
        this.trial = ConfirmChannels.over(
                second,
                options.withConnectionName(options.connectionName() + "-trial"),
                timer,
                "messages over which RabbitMQ closed the first connection wait for this second connection to RabbitMQ;"
                        + " a limit of connections needs room for it");
        BrokerConnection first = channels.broker();
        second.setAddressResolver(() -> List.of(first.lastNode()));
        // grows with the batches to end, so that an application that blocks there delays no other queue
        this.confirms = new ThreadPoolExecutor(
                0, Integer.MAX_VALUE, 10, TimeUnit.SECONDS, new SynchronousQueue<>(), BrokerConnection.THREADS);
    }

    /**
     * Connects now instead of when a trigger first asks, and so makes the declarations.
     *
     * @return whether the broker takes messages; if not, that is logged, and triggers go on trying
     */
    public boolean connect() {
        return channels.broker().unavailableOnceConnected().isZero();
    }

    /** Returns how it treats its connection. */
    public RabbitPublisherOptions options() {
        return options;
    }

    /** Returns the factory of its connection, for declarations and checks. Do not reconfigure or close it. */
    public CachingConnectionFactory connectionFactory() {
        return connectionFactory;
    }

    /** Returns the addresses whose messages the broker nacks now, of queues that do not count nacks. A snapshot. */
    public List<RabbitRefusal> refusals() {
        return gates.refusals();
    }

    /** Returns the counts of the broker's answers since this publisher was made. */
    public RabbitConfirms confirms() {
        return confirmed.counts();
    }

    /** Returns whether there is a connection now. Does not connect and does not block. */
    public boolean isConnected() {
        return channels.broker().isConnected();
    }

    /** Returns whether the last attempt to connect failed; false also before the first one. Does not block. */
    public boolean isUnreachable() {
        return channels.broker().isUnreachable();
    }

    /** Returns whether the broker has asked its publishers to wait, as it does when it is short of memory or disk space. */
    public boolean isBlocked() {
        return channels.broker().isBlocked();
    }

    TaskDestination destination(
            OutgoingMapper mapper, PublishingOptions how, Function<Delivery, DeliveryObservation> observations) {
        return destination(mapper, how, observations, confirms);
    }

    TaskDestination destination(
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
        // last: batches without another answer wait for the end of the connection
        timer.close();
        confirms.shutdown();
    }
}
