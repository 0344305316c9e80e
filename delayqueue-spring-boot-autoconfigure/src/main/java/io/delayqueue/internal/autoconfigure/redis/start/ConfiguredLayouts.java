// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.autoconfigure.redis.start;

import io.delayqueue.TaskStoreCorruptException;
import io.delayqueue.admin.QueueLayoutInfo;
import io.delayqueue.admin.ResizeException;
import io.delayqueue.internal.autoconfigure.failure.InvalidDelayQueueSetupException;
import io.delayqueue.internal.sharding.QueueLayout;
import io.delayqueue.internal.sharding.QueueLayouts;
import io.delayqueue.internal.sharding.Resizing;
import io.delayqueue.queue.QueueCatalog;
import io.delayqueue.queue.QueueNames;
import io.delayqueue.queue.QueueSettings;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks at the start for the configured number of shards of each queue. Where the last process to ask for a change was
 * configured with the same number, what is recorded goes, which an operator may have changed since.
 */
final class ConfiguredLayouts {

    private static final Logger log = LoggerFactory.getLogger(ConfiguredLayouts.class);

    private final QueueCatalog queues;
    private final QueueLayouts layouts;
    private final Resizing resizing;

    ConfiguredLayouts(QueueCatalog queues, QueueLayouts layouts, Resizing resizing) {
        this.queues = queues;
        this.layouts = layouts;
        this.resizing = resizing;
    }

    /** @throws InvalidDelayQueueSetupException if the layout of a queue was recorded by a newer version */
    void request() {
        for (QueueSettings queue : queues.all()) {
            try {
                request(queue);
            } catch (TaskStoreCorruptException ex) {
                throw new InvalidDelayQueueSetupException(
                        property(queue),
                        String.valueOf(ex.getMessage()),
                        "Use the version of this library that wrote it, or another delayqueue.key-prefix.");
            } catch (ResizeException ex) {
                log.warn("{}; this process goes by what is recorded until it is started again", ex.getMessage());
            } catch (RuntimeException ex) {
                if (!RedisServers.isRefused(ex)) {
                    throw ex;
                }
                layouts.adopt(queue.name(), QueueLayout.initial(queue.shards()));
                log.warn(
                        "Queue '{}': this Redis user may not read or write its layout, so its number of shards could not be"
                                + " checked and cannot be changed: {}",
                        queue.name(),
                        RedisServers.rootMessage(ex));
            }
        }
    }

    private void request(QueueSettings queue) {
        QueueLayoutInfo layout = resizing.configure(queue.name(), queue.shards());
        if (layout.shards() != queue.shards()) {
            log.info(
                    "Queue '{}': {} is {}, but the queue was resized to {} shard(s) since, which goes",
                    queue.name(),
                    property(queue),
                    queue.shards(),
                    layout.shards());
        }
    }

    private static String property(QueueSettings queue) {
        return QueueNames.property(queue.name()) + ".shards";
    }
}
