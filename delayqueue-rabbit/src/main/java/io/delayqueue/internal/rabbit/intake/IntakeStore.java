// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.rabbit.intake;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import io.delayqueue.InvalidTaskException;
import io.delayqueue.ScheduleOutcome;
import io.delayqueue.ScheduleResult;
import io.delayqueue.TaskNotReplicatedException;
import io.delayqueue.internal.rabbit.connection.BrokerConnection;
import io.delayqueue.internal.rabbit.connection.RabbitPublisherOptions;
import io.delayqueue.internal.rabbit.connection.SocketGuard;
import io.delayqueue.internal.transaction.ChangeResult;
import io.delayqueue.internal.transaction.TaskChange;
import io.delayqueue.internal.transaction.TaskChanges;
import io.delayqueue.rabbit.RabbitHeaders;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Stores the messages of a batch. Publishes messages that cannot be stored to the queue for rejected messages. */
final class IntakeStore {

    private static final Logger log = LoggerFactory.getLogger(IntakeStore.class);

    /** Headers with further routing keys. */
    private static final Set<String> MORE_ADDRESSES = Set.of("CC", "BCC");

    private final IntakeSettings settings;
    private final TaskChanges changes;
    private final BrokerConnection broker;
    private final SocketGuard.Watch watch;
    private final RabbitPublisherOptions options;
    private @Nullable Channel channel;
    private List<IntakeTask> unconfirmed = List.of(); // Published to this channel.
    private volatile boolean returned;
    private long rejected;

    IntakeStore(IntakeSettings settings, TaskChanges changes, IntakeConnection connection) {
        this.settings = settings;
        this.changes = changes;
        this.broker = connection.rejecting().broker();
        this.watch = connection.rejecting().watch();
        this.options = connection.options();
    }

    /** Returns how many messages this has rejected. */
    long rejected() {
        return rejected;
    }

    /**
     * Stores or rejects messages, and returns the remaining messages in order, for another attempt. Stores messages
     * only after the broker has confirmed the rejected ones.
     *
     * @throws IOException if the consumer has ended
     */
    Left settle(Arrivals arrivals, List<IntakeTask> tasks) throws IOException, InterruptedException {
        arrivals.check();
        List<IntakeTask> refused =
                tasks.stream().filter(task -> task.refusal() != null).toList();
        String problem = refused.isEmpty() ? null : reject(refused);
        if (problem != null) {
            return new Left(tasks, problem);
        }
        rejected += refused.size();
        Left left = carryOut(arrivals, tasks);
        return left.tasks().stream().anyMatch(task -> task.refusal() != null) ? settle(arrivals, left.tasks()) : left;
    }

    private Left carryOut(Arrivals arrivals, List<IntakeTask> tasks) throws IOException {
        List<IntakeTask> made =
                tasks.stream().filter(task -> task.change() != null).toList();
        if (made.isEmpty()) {
            return Left.NOTHING;
        }
        List<TaskChange<?>> calls = new ArrayList<>();
        made.forEach(task -> calls.add(Objects.requireNonNull(task.change())));
        arrivals.check();
        List<ChangeResult> results = changes.carryOut(calls);
        LinkedList<IntakeTask> left = new LinkedList<>();
        LinkedList<IntakeTask> copies = new LinkedList<>();
        String reason = null;
        Set<String> settledLater = new HashSet<>();
        for (int i = made.size() - 1; i >= 0; i--) {
            IntakeTask task = made.get(i);
            ChangeResult result = results.get(i);
            String id = result.change().id();
            if (result.error() instanceof InvalidTaskException invalid) {
                left.addFirst(IntakeTask.refused(task.message(), String.valueOf(invalid.getMessage())));
                continue;
            }
            // The task is stored even if too few replicas have confirmed it.
            if (result.error() != null && !(result.error() instanceof TaskNotReplicatedException)) {
                if (!settledLater.contains(id)) {
                    left.addFirst(task);
                    reason = result.error().getMessage();
                }
            } else if (task.named()) {
                settledLater.add(id); // Storing an earlier message of this name later would overwrite it.
            } else if (task.anew() != null && isKept(result)) {
                copies.addFirst(IntakeTask.unnamed(task.message(), task.anew(), null));
            }
        }
        return new Left(left, reason).and(carryOut(arrivals, copies));
    }

    private static boolean isKept(ChangeResult result) {
        return result.outcome() instanceof ScheduleResult scheduled && scheduled.outcome() == ScheduleOutcome.KEPT;
    }

    /**
     * Publishes messages to the queue for rejected ones. Returns the problem; null if the broker has confirmed all
     * messages.
     */
    private @Nullable String reject(List<IntakeTask> refused) throws InterruptedException {
        try {
            Channel current = channel;
            if (current == null || !current.isOpen() || !unconfirmed.equals(refused)) {
                if (!broker.unavailableOnceConnected().isZero()) {
                    return "RabbitMQ does not accept rejected messages now";
                }
                current = publish(broker.open(), refused);
            }
            boolean acked = current.waitForConfirms(options.confirmTimeout().toMillis());
            unconfirmed = List.of();
            if (acked && !returned) {
                broker.works();
                return null;
            }
            IntakeTopology.declareRejected(broker.open(), settings);
            return "the queue '" + settings.rejectedQueue() + "' for rejected messages did not accept a message";
        } catch (TimeoutException ex) {
            return "the broker does not confirm messages for the queue '" + settings.rejectedQueue() + "'";
        } catch (IOException | RuntimeException ex) {
            return "cannot publish to the queue '" + settings.rejectedQueue() + "': " + ex;
        }
    }

    private Channel publish(Connection connection, List<IntakeTask> refused) throws IOException {
        Duration limit = options.rpcTimeout().plus(options.confirmTimeout());
        watch.begin(limit);
        try {
            Channel current = channel;
            if (current == null || !current.isOpen()) {
                current = IntakeTopology.openChannel(connection);
                current.confirmSelect();
                current.addReturnListener(message -> returned = true);
                channel = current;
            }
            returned = false;
            for (IntakeTask task : refused) {
                log.warn(
                        "Intake '{}': cannot store a message; moving it to the queue '{}': {}",
                        settings.name(),
                        settings.rejectedQueue(),
                        task.refusal());
                watch.begin(limit);
                current.basicPublish(
                        "",
                        settings.rejectedQueue(),
                        true,
                        propertiesWithin(connection.getFrameMax(), task),
                        task.message().body());
            }
            unconfirmed = refused;
            return current;
        } finally {
            watch.end();
        }
    }

    /**
     * Returns the properties with the reason. Without the reason if it does not fit into a frame; without the
     * properties if these cannot be encoded, for example because a text was not UTF-8.
     *
     * @param frameMax maximum size of a frame in bytes; 0 if unlimited
     */
    static AMQP.BasicProperties propertiesWithin(int frameMax, IntakeTask task) throws IOException {
        AMQP.BasicProperties properties = forQueue(task.message().properties());
        AMQP.BasicProperties bare = new AMQP.BasicProperties.Builder()
                .deliveryMode(properties.getDeliveryMode())
                .build();
        AMQP.BasicProperties explained = withReason(properties, task);
        if (fits(explained, frameMax)) {
            return explained;
        }
        return fits(properties, frameMax) ? properties : withReason(bare, task);
    }

    /**
     * Returns properties without the expiration, so that the message remains in the queue, without the producer's user
     * id, which the broker would refuse, and without more addresses to which the broker would send the message.
     */
    private static AMQP.BasicProperties forQueue(AMQP.BasicProperties properties) {
        Map<String, Object> headers = null;
        if (properties.getHeaders() != null) {
            headers = new HashMap<>(properties.getHeaders());
            headers.keySet().removeAll(MORE_ADDRESSES);
        }
        return properties
                .builder()
                .expiration(null)
                .userId(null)
                .headers(headers)
                .build();
    }

    private static boolean fits(AMQP.BasicProperties properties, int frameMax) throws IOException {
        try {
            int size = properties.toFrame(0, 0).size();
            return frameMax == 0 || size <= frameMax;
        } catch (IllegalArgumentException ex) {
            return false;
        }
    }

    private static AMQP.BasicProperties withReason(AMQP.BasicProperties properties, IntakeTask task) {
        Map<String, Object> headers =
                properties.getHeaders() == null ? new HashMap<>() : new HashMap<>(properties.getHeaders());
        headers.put(RabbitHeaders.REJECTED_REASON, task.refusal());
        headers.put(RabbitHeaders.REJECTED_EXCHANGE, task.message().envelope().getExchange());
        headers.put(
                RabbitHeaders.REJECTED_ROUTING_KEY, task.message().envelope().getRoutingKey());
        return properties.builder().headers(headers).build();
    }

    /**
     * The messages that are neither stored nor rejected.
     *
     * @param reason reason why one of them failed; null if none failed
     */
    record Left(List<IntakeTask> tasks, @Nullable String reason) {

        private static final Left NOTHING = new Left(List.of(), null);

        Left and(Left other) {
            if (other.tasks.isEmpty()) {
                return this;
            }
            List<IntakeTask> all = new ArrayList<>(tasks);
            all.addAll(other.tasks);
            return new Left(all, reason == null ? other.reason : reason);
        }
    }
}
