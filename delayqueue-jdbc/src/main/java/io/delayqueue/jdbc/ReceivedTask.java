// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.jdbc;

import io.delayqueue.annotation.TaskHeaders;
import io.delayqueue.handler.DelayedTask;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A task as one consumer has received it, for {@link DelayQueueInbox}.
 *
 * @param consumer who acts on the task, 1 to 64 printable ASCII characters without spaces; the task's queue unless
 *     another name is given. Two consumers of the same task, such as two queues of RabbitMQ that both get its message,
 *     need two names
 * @param taskKey what is the same in all deliveries of the task, and of no other task: 22 letters, digits, '-' and '_'
 */
public record ReceivedTask(String consumer, String taskKey) {

    private static final Pattern CONSUMER = Pattern.compile("[!-~]{1,64}");
    private static final Pattern TASK_KEY = Pattern.compile("[A-Za-z0-9_-]{22}");

    public ReceivedTask {
        if (!CONSUMER.matcher(consumer).matches()) {
            throw new IllegalArgumentException("The name of a consumer is 1 to 64 printable ASCII characters without"
                    + " spaces, but this one with " + consumer.length() + " characters is not");
        }
        if (!TASK_KEY.matcher(taskKey).matches()) {
            throw new MissingTaskKeyException("The consumer " + consumer
                    + " has received a task key that is not one: it has "
                    + taskKey.length() + " characters, and not 22 letters, digits, '-' and '_'. Hand over the header "
                    + TaskHeaders.TASK_KEY + " as it came");
        }
    }

    /** The task in the hands of a handler. */
    public static ReceivedTask of(DelayedTask<?> task) {
        return new ReceivedTask(task.queue(), task.taskKey());
    }

    /**
     * The task of a message.
     *
     * @param headers of the message: a {@code @Headers} parameter, or those of its {@code MessageProperties}
     * @throws MissingTaskKeyException if they are not those of a task
     */
    public static ReceivedTask of(Map<String, ?> headers) {
        return new ReceivedTask(text(headers, TaskHeaders.QUEUE), text(headers, TaskHeaders.TASK_KEY));
    }

    /** The same task, received by somebody else. */
    public ReceivedTask by(String consumer) {
        return new ReceivedTask(consumer, taskKey);
    }

    private static String text(Map<String, ?> headers, String name) {
        @Nullable Object value = headers.get(name);
        if (value == null) {
            throw new MissingTaskKeyException("A message without the header " + name
                    + " was received, so nothing tells whether it is a duplicate. Consume only messages that delayqueue"
                    + " has sent, and hand over all of their headers");
        }
        return value.toString();
    }
}
