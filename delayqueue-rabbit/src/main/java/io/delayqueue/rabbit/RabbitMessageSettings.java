// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.rabbit;

import io.delayqueue.internal.rabbit.trigger.OutgoingMapper;
import io.delayqueue.queue.Bound;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The properties that all messages of one queue carry. What is null is left out.
 *
 * @param contentType in place of the one that the task was encoded with; a {@code @RabbitListener} that takes the
 *     scheduled object needs the original one
 * @param type the kind of message, at most 255 bytes
 * @param priority 0 to 255; only a queue with {@code x-max-priority} heeds it
 * @param expiration how long the broker keeps the message in a queue, 1 ms to 49 days; then it drops it
 */
public record RabbitMessageSettings(
        @Nullable String contentType,
        @Nullable String type,
        @Nullable Integer priority,
        @Nullable Duration expiration) {

    /** The priority of a message. */
    public static final Bound<Integer> PRIORITY = new Bound<>(0, 255);

    /** How long a broker keeps a message. */
    public static final Bound<Duration> EXPIRATION = new Bound<>(Duration.ofMillis(1), Duration.ofDays(49));

    /** Nothing beside what every message carries. */
    public static final RabbitMessageSettings NONE = new RabbitMessageSettings(null, null, null, null);

    /** @throws IllegalArgumentException if a value is out of bounds */
    public RabbitMessageSettings {
        checkShort("content-type", contentType);
        checkShort("type", type);
        if (priority != null) {
            PRIORITY.check("priority", priority);
        }
        if (expiration != null) {
            EXPIRATION.check("expiration", expiration);
        }
    }

    private static void checkShort(String name, @Nullable String value) {
        if (value != null && !OutgoingMapper.isShortString(value)) {
            throw new IllegalArgumentException(name + " must be at most 255 bytes long, as AMQP allows");
        }
    }
}
