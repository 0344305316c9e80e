// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.autoconfigure.redis.start;

import io.delayqueue.autoconfigure.DelayQueueProperties.Check;
import io.delayqueue.internal.autoconfigure.failure.InvalidDelayQueueSetupException;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Looks for servers that may lose tasks: ones that evict keys, and ones that are too old. */
final class RedisServerCheck {

    private static final Logger log = LoggerFactory.getLogger(RedisServerCheck.class);
    private static final String PROPERTY = "delayqueue.redis.check";

    private final Check mode;

    RedisServerCheck(Check mode) {
        this.mode = mode;
    }

    /**
     * @param info null where the server does not say
     * @throws InvalidDelayQueueSetupException if a server may lose tasks and that is not tolerated
     */
    void check(@Nullable RedisInfo info) {
        if (mode == Check.OFF) {
            return;
        }
        if (info == null) {
            log.warn(
                    "This Redis user may not run INFO, so the server could not be checked. Make sure that it is Redis 6.2"
                            + " or newer and that its maxmemory-policy is noeviction; {}=off silences this",
                    PROPERTY);
            return;
        }
        info.values("redis_version").forEach(this::checkVersion);
        info.values("maxmemory_policy").forEach(this::checkEviction);
    }

    boolean isOff() {
        return mode == Check.OFF;
    }

    private void checkVersion(String version) {
        String[] parts = version.split("\\.");
        try {
            int major = Integer.parseInt(parts[0]);
            int minor = (parts.length > 1) ? Integer.parseInt(parts[1]) : 0;
            if (major > 6 || (major == 6 && minor >= 2)) {
                return;
            }
        } catch (NumberFormatException ex) {
            log.debug("Redis calls its version '{}'", version);
            return;
        }
        complain(
                "This Redis server is version " + version + ", but the delay queues need 6.2 or newer.",
                "Point spring.data.redis.* at a Redis server from 6.2 on (" + PROPERTY + " is '" + shown() + "').");
    }

    private void checkEviction(String policy) {
        if (!policy.equals("noeviction")) {
            complain(
                    "This Redis server's maxmemory-policy is '" + policy
                            + "': when its memory is full it deletes keys, and with them waiting tasks.",
                    "Set maxmemory-policy to noeviction on the server, or use another server (spring.data.redis.*). If"
                            + " tasks may be lost, set " + PROPERTY + " to 'warn' (it is '" + shown() + "').");
        }
    }

    private void complain(String description, String action) {
        if (mode == Check.FAIL) {
            throw new InvalidDelayQueueSetupException(PROPERTY, description, action);
        }
        log.warn("{} {}", description, action);
    }

    private String shown() {
        return mode.name().toLowerCase(Locale.ROOT);
    }
}
