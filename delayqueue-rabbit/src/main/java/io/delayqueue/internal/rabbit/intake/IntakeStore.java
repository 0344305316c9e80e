// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.rabbit.intake;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Channel;
import io.delayqueue.ScheduleOutcome;
import io.delayqueue.ScheduleResult;
import io.delayqueue.TaskNotReplicatedException;
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

    private final IntakeSettings settings;
    private final TaskChanges changes;
    private final IntakeMapper mapper;
    private final Duration confirmTimeout;
    private boolean unconfirmed; // Whether the broker has not confirmed all rejections yet.
    private volatile boolean returned;

    IntakeStore(IntakeSettings settings, TaskChanges changes, Duration confirmTimeout) {
        this.settings = settings;
        this.changes = changes;
        this.mapper = new IntakeMapper(settings, changes);
        this.confirmTimeout = confirmTimeout;
    }

    /** Prepares a channel for rejections. */
    void prepare(Channel channel) throws IOException {
        unconfirmed = false;
        channel.confirmSelect();
        channel.addReturnListener(message -> returned = true);
    }

    List<IntakeTask> map(List<Received> batch) {
        return batch.stream().map(mapper::map).toList();
    }

    /**
     * Stores or rejects messages, and returns the remaining messages in order, for another attempt. Stores messages
     * only after the broker has confirmed the rejected ones.
     */
    Left settle(Channel channel, List<IntakeTask> tasks) throws IOException, InterruptedException {
        List<IntakeTask> refused =
                tasks.stream().filter(task -> task.refusal() != null).toList();
        String problem = refused.isEmpty() ? null : reject(channel, refused);
        return (problem == null) ? carryOut(tasks) : new Left(tasks, problem);
    }

    private Left carryOut(List<IntakeTask> tasks) {
        List<IntakeTask> made =
                tasks.stream().filter(task -> task.change() != null).toList();
        if (made.isEmpty()) {
            return Left.NOTHING;
        }
        List<TaskChange<?>> calls = new ArrayList<>();
        made.forEach(task -> calls.add(Objects.requireNonNull(task.change())));
        List<ChangeResult> results = changes.carryOut(calls);
        LinkedList<IntakeTask> left = new LinkedList<>();
        LinkedList<IntakeTask> copies = new LinkedList<>();
        String reason = null;
        Set<String> settledLater = new HashSet<>();
        for (int i = made.size() - 1; i >= 0; i--) {
            IntakeTask task = made.get(i);
            ChangeResult result = results.get(i);
            String id = result.change().id();
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
        return new Left(left, reason).and(carryOut(copies));
    }

    private static boolean isKept(ChangeResult result) {
        return result.outcome() instanceof ScheduleResult scheduled && scheduled.outcome() == ScheduleOutcome.KEPT;
    }

    /**
     * Publishes messages to the queue for rejected ones. Returns the problem; null if the broker has confirmed all
     * messages.
     */
    private @Nullable String reject(Channel channel, List<IntakeTask> refused)
            throws IOException, InterruptedException {
        if (!unconfirmed) {
            returned = false;
            for (IntakeTask task : refused) {
                log.warn(
                        "Intake '{}': cannot store a message; moving it to the queue '{}': {}",
                        settings.name(),
                        settings.rejectedQueue(),
                        task.refusal());
                channel.basicPublish(
                        "",
                        settings.rejectedQueue(),
                        true,
                        propertiesWithin(channel.getConnection().getFrameMax(), task),
                        task.message().body());
            }
            unconfirmed = true;
        }
        try {
            boolean acked = channel.waitForConfirms(confirmTimeout.toMillis());
            unconfirmed = false;
            if (acked && !returned) {
                return null;
            }
            IntakeTopology.declareRejected(channel.getConnection(), settings);
            return "the queue '" + settings.rejectedQueue() + "' for rejected messages did not accept a message";
        } catch (TimeoutException ex) {
            return "the broker does not confirm messages for the queue '" + settings.rejectedQueue() + "'";
        }
    }

    /**
     * Returns the properties with the reason, unless it does not fit into a frame. Removes the expiration, so that the
     * message remains in the queue, and the producer's user id, which the broker would refuse.
     *
     * @param frameMax maximum size of a frame in bytes; 0 if unlimited
     */
    private static AMQP.BasicProperties propertiesWithin(int frameMax, IntakeTask task) throws IOException {
        AMQP.BasicProperties properties = task.message()
                .properties()
                .builder()
                .expiration(null)
                .userId(null)
                .build();
        AMQP.BasicProperties explained = withReason(properties, task);
        boolean fits = frameMax == 0 || explained.toFrame(0, 0).size() <= frameMax;
        return fits ? explained : properties;
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
