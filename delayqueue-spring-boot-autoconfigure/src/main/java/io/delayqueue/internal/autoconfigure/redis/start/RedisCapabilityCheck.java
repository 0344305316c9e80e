// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.autoconfigure.redis.start;

import io.delayqueue.autoconfigure.DelayQueueProperties.Check;
import io.delayqueue.autoconfigure.MissingRedisCapabilitiesException;
import io.delayqueue.internal.redis.check.RedisCapabilities;
import io.delayqueue.queue.QueueCatalog;
import java.util.Locale;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Names what a Redis server lacks before calls fail for want of it. */
final class RedisCapabilityCheck {

    private static final Logger log = LoggerFactory.getLogger(RedisCapabilityCheck.class);
    private static final String PROPERTY = "delayqueue.redis.check";

    private final Check mode;
    private final RedisCapabilities capabilities;
    private final QueueCatalog queues;

    RedisCapabilityCheck(Check mode, RedisCapabilities capabilities, QueueCatalog queues) {
        this.mode = mode;
        this.capabilities = capabilities;
        this.queues = queues;
    }

    /**
     * @throws MissingRedisCapabilitiesException if something is missing without which calls fail, and that is not
     *     tolerated
     * @throws io.delayqueue.TaskStoreException if Redis cannot be asked now
     */
    void check() {
        if (mode == Check.OFF) {
            return;
        }
        RedisCapabilities.Missing missing =
                capabilities.ask(queues.all().stream().anyMatch(queue -> queue.replicas() > 0));
        if (!missing.wanted().isEmpty()) {
            log.warn(
                    "This Redis server, or its user, lacks {}: tasks may be late by the max-idle-interval. {}",
                    String.join(", ", missing.wanted()),
                    action());
        }
        if (missing.needed().isEmpty()) {
            return;
        }
        String description = "This Redis server, or its user, lacks what the delay queues need: "
                + String.join(", ", missing.needed()) + ".";
        if (mode == Check.FAIL) {
            throw new MissingRedisCapabilitiesException(PROPERTY, missing.needed(), description, action());
        }
        log.warn("{} {}", description, action());
    }

    private String action() {
        return "Give the user the rights that docs/security.md names, on every node, and do not rename these commands; or"
                + " use another server or service (spring.data.redis.*), Redis from 6.2 on (" + PROPERTY + " is '"
                + mode.name().toLowerCase(Locale.ROOT) + "').";
    }
}
