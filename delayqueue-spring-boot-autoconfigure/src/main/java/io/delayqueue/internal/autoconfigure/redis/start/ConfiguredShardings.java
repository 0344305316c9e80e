// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.autoconfigure.redis.start;

import io.delayqueue.TaskStoreCorruptException;
import io.delayqueue.admin.QueueSharding;
import io.delayqueue.admin.ReshardException;
import io.delayqueue.internal.autoconfigure.failure.InvalidDelayQueueSetupException;
import io.delayqueue.internal.queue.QueueCatalog;
import io.delayqueue.internal.queue.QueueNames;
import io.delayqueue.internal.queue.QueueSettings;
import io.delayqueue.internal.sharding.Resharding;
import io.delayqueue.internal.sharding.Sharding;
import io.delayqueue.internal.sharding.Shardings;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Requests the configured number of shards of each queue at startup. If the last configured number was the same, keeps
 * the recorded number, because an operator may have changed it since.
 */
record ConfiguredShardings(QueueCatalog queues, Shardings shardings, Resharding resharding) {

    private static final Logger log = LoggerFactory.getLogger(ConfiguredShardings.class);

    /** @throws InvalidDelayQueueSetupException if the sharding of a queue was recorded by a newer version */
    void request() {
        for (QueueSettings queue : queues.all()) {
            try {
                request(queue);
            } catch (TaskStoreCorruptException ex) {
                throw new InvalidDelayQueueSetupException(
                        property(queue),
                        String.valueOf(ex.getMessage()),
                        "Use the library version that wrote it, or another delayqueue.key-prefix.");
            } catch (ReshardException ex) {
                log.warn("{}; this process uses the recorded number until it is restarted", ex.getMessage());
            } catch (RuntimeException ex) {
                if (!RedisProbe.isRefused(ex)) {
                    throw ex;
                }
                shardings.adopt(queue.name(), Sharding.initial(queue.shards()));
                log.warn(
                        "Queue '{}': this Redis user may not read or write its sharding, so its number of shards could not be"
                                + " checked and cannot be changed: {}",
                        queue.name(),
                        RedisStartCheck.rootMessage(ex));
            }
        }
    }

    private void request(QueueSettings queue) {
        QueueSharding sharding = resharding.configure(queue.name(), queue.shards());
        if (sharding.shards() != queue.shards()) {
            log.info(
                    "Queue '{}': {} is {}, but the queue has since been resharded to {} shard(s), "
                            + "which takes precedence",
                    queue.name(),
                    property(queue),
                    queue.shards(),
                    sharding.shards());
        }
    }

    private static String property(QueueSettings queue) {
        return QueueNames.property(queue.name()) + ".shards";
    }
}
