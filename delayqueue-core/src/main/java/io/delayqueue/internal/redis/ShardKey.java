// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.redis;

import java.util.Locale;

/** The keys of a shard. The last part of the name of a key identifies its kind. */
enum ShardKey {
    INDEX,
    TASKS,
    LEASES,
    ATTEMPTS,
    DEAD,
    TOKEN,
    PAUSED,
    CATCHUP,
    HOLDS,
    SHARDING,
    GROUPS,
    SHIFT,
    WAITING,
    TURNS,
    TAT,
    RUNNING,
    KEYLIMITS,
    HISTORY,
    NOOP;

    String text() {
        return name().toLowerCase(Locale.ROOT);
    }
}
