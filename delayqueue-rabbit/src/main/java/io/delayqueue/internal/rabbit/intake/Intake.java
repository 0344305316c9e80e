// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.rabbit.intake;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import io.delayqueue.internal.concurrent.NamedThreads;
import io.delayqueue.internal.rabbit.connection.BrokerConnection;
import io.delayqueue.internal.rabbit.connection.GrowingPause;
import io.delayqueue.internal.transaction.TaskChanges;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.core.NestedExceptionUtils;

/**
 * Consumes a queue of the broker and stores each message as a task. Acknowledges a message when its task is in Redis.
 * While Redis is unavailable, messages remain unacknowledged and in order, and further messages remain in the broker's
 * queue.
 *
 * <p>To keep the order of the queue, a single thread stores the received messages, with few script calls, and
 * acknowledges them.
 */
public final class Intake {

    private static final Logger log = LoggerFactory.getLogger(Intake.class);
    private static final int PREFETCH = 1000;
    private static final Duration FIRST_PAUSE = Duration.ofMillis(100);

    private final IntakeSettings settings;
    private final IntakeConnection connection;
    private final IntakeMapper mapper;
    private final IntakeStore store;
    private final GrowingPause pause;
    private final LongAdder accepted = new LongAdder();
    private final LongAdder rejected = new LongAdder();
    private volatile @Nullable String problem = "it is not consuming yet";
    private boolean warned; // Used only by the intake's thread.
    private @Nullable Running running;

    public Intake(IntakeSettings settings, IntakeConnection connection, TaskChanges changes) {
        this.settings = settings;
        this.connection = connection;
        this.mapper = new IntakeMapper(settings, changes);
        this.store = new IntakeStore(settings, changes, connection);
        this.pause = new GrowingPause(FIRST_PAUSE, connection.options().longestPause());
    }

    public IntakeSettings settings() {
        return settings;
    }

    /** Returns the reason why it currently accepts no messages, or null if it accepts them. */
    public @Nullable String problem() {
        return problem;
    }

    /** Returns the number of messages whose change is in Redis and that were acknowledged. */
    public long accepted() {
        return accepted.sum();
    }

    /** Returns the number of messages that were moved to the queue for rejected messages. */
    public long rejected() {
        return rejected.sum();
    }

    /** Starts to consume on a separate thread as soon as there is a connection. */
    public synchronized void start() {
        if (running == null) {
            CountDownLatch stop = new CountDownLatch(1);
            Thread thread = NamedThreads.daemons("delayqueue-intake-" + settings.name() + "-")
                    .newThread(() -> run(stop));
            running = new Running(thread, stop);
            thread.start();
        }
    }

    /** Requests a stop of the intake. Does not block. */
    public synchronized void end() {
        if (running != null) {
            running.stop().countDown();
        }
    }

    /** Stops consuming. Messages that are not stored yet remain in the broker's queue. */
    public synchronized void stop() {
        Running ending = running;
        if (ending == null) {
            return;
        }
        end();
        running = null;
        try {
            ending.thread()
                    .join(connection.options().rpcTimeout().multipliedBy(2).toMillis());
        } catch (InterruptedException ex) {
            Thread.currentThread().interrupt();
        }
    }

    private void run(CountDownLatch stop) {
        try {
            while (stop.getCount() > 0) {
                BrokerConnection broker = connection.broker();
                Duration left = broker.unavailableOnceConnected();
                if (left.isZero()) {
                    left = consumeUntilItEnds(broker, stop);
                } else {
                    problem = "there is no connection to RabbitMQ";
                }
                stop.await(left.toMillis(), TimeUnit.MILLISECONDS);
            }
        } catch (InterruptedException ex) {
            Thread.currentThread().interrupt();
        } finally {
            problem = "it is stopped";
        }
    }

    /** Consumes until the channel ends. Returns how long to wait before the next attempt. */
    private Duration consumeUntilItEnds(BrokerConnection broker, CountDownLatch stop) throws InterruptedException {
        try {
            Connection open = broker.open();
            IntakeTopology.declare(open, settings);
            consume(open, broker, stop);
            return Duration.ZERO;
        } catch (IOException | RuntimeException | Error ex) { // Messages remain queued even after an OutOfMemoryError.
            if (stop.getCount() == 0) {
                return Duration.ZERO;
            }
            Throwable cause = NestedExceptionUtils.getMostSpecificCause(ex);
            String reason = (cause instanceof Error) ? cause.toString() : cause.getMessage();
            trouble("cannot consume the queue '" + settings.queue() + "': " + reason);
            log.debug("Intake '{}': consuming failed", settings.name(), ex);
            return pause.left();
        }
    }

    private void consume(Connection open, BrokerConnection broker, CountDownLatch stop)
            throws IOException, InterruptedException {
        Channel channel = IntakeTopology.openChannel(open);
        try {
            Arrivals arrivals = new Arrivals(channel, mapper);
            channel.basicQos(PREFETCH);
            channel.basicConsume(settings.queue(), false, arrivals);
            broker.works();
            while (stop.getCount() > 0) {
                List<IntakeTask> batch = arrivals.next();
                if (batch.isEmpty()) {
                    works();
                } else {
                    takeIn(arrivals, batch, stop);
                }
            }
        } finally {
            if (channel.isOpen()) {
                channel.abort();
            }
        }
    }

    /**
     * Stores a batch. Leaves the messages to the broker if the intake stops.
     *
     * @throws IOException if the consumer has ended
     */
    private void takeIn(Arrivals arrivals, List<IntakeTask> batch, CountDownLatch stop)
            throws IOException, InterruptedException {
        List<IntakeTask> open = batch;
        long before = store.rejected();
        do {
            IntakeStore.Left left = store.settle(arrivals, open);
            if (left.tasks().isEmpty()) {
                long last = batch.get(batch.size() - 1).message().envelope().getDeliveryTag();
                arrivals.getChannel().basicAck(last, true);
                long refused = store.rejected() - before;
                rejected.add(refused);
                accepted.add(batch.size() - refused);
                works();
                return;
            }
            trouble("cannot store messages; they stay in the queue '" + settings.queue() + "': " + left.reason());
            open = left.tasks();
        } while (!stop.await(pause.left().toMillis(), TimeUnit.MILLISECONDS));
    }

    /** Records a problem, and logs it once per outage. */
    private void trouble(String what) {
        problem = what;
        pause.trouble();
        if (!warned) {
            warned = true;
            log.warn("Intake '{}' {}; trying again", settings.name(), what);
        }
    }

    private void works() {
        problem = null;
        pause.reset();
        if (warned) {
            warned = false;
            log.info("Intake '{}' accepts messages again", settings.name());
        }
    }

    private record Running(Thread thread, CountDownLatch stop) {}
}
