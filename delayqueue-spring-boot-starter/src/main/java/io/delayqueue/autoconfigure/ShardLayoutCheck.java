// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.autoconfigure;

import io.delayqueue.queue.PrintableText;
import io.delayqueue.queue.QueueCatalog;
import io.delayqueue.queue.QueueSettings;
import io.delayqueue.redis.RedisKeys;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.data.redis.connection.RedisConnection;

/**
 * Records over how many shards each queue is spread, as {@code 1:<shards>}, where 1 is the version of this format. A process
 * that was configured with another number would look for tasks where they are not.
 */
final class ShardLayoutCheck {

    private static final Logger log = LoggerFactory.getLogger(ShardLayoutCheck.class);
    private static final String VERSION = "1:";

    private final RedisKeys keys;
    private final QueueCatalog queues;

    ShardLayoutCheck(RedisKeys keys, QueueCatalog queues) {
        this.keys = keys;
        this.queues = queues;
    }

    boolean isNeeded() {
        return !queues.names().isEmpty();
    }

    /** @throws InvalidDelayQueueSetupException if a queue is recorded with another number of shards */
    void check(RedisConnection connection) {
        for (QueueSettings queue : queues.all()) {
            try {
                check(connection, queue);
            } catch (InvalidDelayQueueSetupException ex) {
                throw ex;
            } catch (RuntimeException ex) {
                if (!RedisReplies.isForbidden(ex)) {
                    throw ex;
                }
                log.warn(
                        "Queue '{}': this Redis user may not read or write {}, so its number of shards could not be"
                                + " checked: {}",
                        queue.name(),
                        keys.layout(queue.name()),
                        RedisReplies.rootMessage(ex));
            }
        }
    }

    private void check(RedisConnection connection, QueueSettings queue) {
        byte[] key = keys.layout(queue.name()).getBytes(StandardCharsets.UTF_8);
        String configured = VERSION + queue.shards();
        String recorded = get(connection, key);
        if (recorded == null) {
            connection.stringCommands().setNX(key, configured.getBytes(StandardCharsets.UTF_8));
            recorded = get(connection, key);
        }
        if (recorded != null && !recorded.equals(configured)) {
            throw mismatch(queue, recorded);
        }
    }

    private static @Nullable String get(RedisConnection connection, byte[] key) {
        byte[] value = connection.stringCommands().get(key);
        return (value == null) ? null : new String(value, StandardCharsets.UTF_8);
    }

    private InvalidDelayQueueSetupException mismatch(QueueSettings queue, String recorded) {
        String property =
                new QueueValues(queue.name(), QueueProperties.EMPTY, QueueProperties.EMPTY).property("shards");
        String key = keys.layout(queue.name());
        if (!recorded.matches(VERSION + "[0-9]{1,9}")) {
            return new InvalidDelayQueueSetupException(
                    property,
                    "The shards of queue '" + queue.name() + "' are recorded in Redis under " + key + " as '"
                            + PrintableText.of(recorded, 40) + "', which this version cannot read.",
                    "Use the version of this library that wrote it, or another delayqueue.key-prefix.");
        }
        String shards = recorded.substring(VERSION.length());
        return new InvalidDelayQueueSetupException(
                property,
                "Queue '" + queue.name() + "' has " + shards + " shard(s) in Redis, but " + property + " is "
                        + queue.shards() + ". With another number its tasks would not be found.",
                "Set " + property + " to " + shards + ". To change it, let the queue run empty, stop every application"
                        + " that uses it, delete the key " + key + " and start them with the new number.");
    }
}
