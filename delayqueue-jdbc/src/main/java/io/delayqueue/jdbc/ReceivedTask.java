// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.jdbc;

import io.delayqueue.DelayQueueException;
import io.delayqueue.annotation.TaskHeaders;
import io.delayqueue.handler.DelayedTask;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A task that was received by a consumer, for the {@link DelayQueueInbox}.
 *
 * @param consumer name of the consumer, 1 to 64 printable ASCII characters without spaces; by default the task's queue.
 *     If the same task has several consumers, for example on two RabbitMQ queues, each needs its own name
 * @param taskKey identifies the task in all its deliveries: 22 letters, digits, '-' and '_'
 */
public record ReceivedTask(String consumer, String taskKey) {

    private static final Pattern CONSUMER = Pattern.compile("[!-~]{1,64}");
    private static final Pattern TASK_KEY = Pattern.compile("[A-Za-z0-9_-]{22}");

    public ReceivedTask {
        if (!CONSUMER.matcher(consumer).matches()) {
            throw new IllegalArgumentException(
                    "The name of a consumer is 1 to 64 printable ASCII characters without spaces, but a name " + "with "
                            + consumer.length() + " characters was given");
        }
        if (!TASK_KEY.matcher(taskKey).matches()) {
            throw new DelayQueueException("Consumer " + consumer
                    + " received an invalid task key: it has "
                    + taskKey.length() + " characters instead of 22 letters, digits, '-' and '_'. Pass the header "
                    + TaskHeaders.TASK_KEY + " unchanged");
        }
    }

    /** Returns the task of a handler. */
    public static ReceivedTask of(DelayedTask<?> task) {
        return new ReceivedTask(task.queue(), task.taskKey());
    }

    /**
     * Returns the task of a message.
     *
     * @param headers headers of the message, from a {@code @Headers} parameter or its {@code MessageProperties}
     * @throws DelayQueueException if the headers do not identify a task
     */
    public static ReceivedTask of(Map<String, ?> headers) {
        return new ReceivedTask(text(headers, TaskHeaders.QUEUE), text(headers, TaskHeaders.TASK_KEY));
    }

    /** Returns the same task for another consumer. */
    public ReceivedTask by(String consumer) {
        return new ReceivedTask(consumer, taskKey);
    }

    private static String text(Map<String, ?> headers, String name) {
        @Nullable Object value = headers.get(name);
        if (value == null) {
            throw new DelayQueueException("Received a message without the header " + name
                    + ", so duplicates cannot be recognized. Consume only messages from delayqueue, and "
                    + "pass all their headers");
        }
        return value.toString();
    }
}
