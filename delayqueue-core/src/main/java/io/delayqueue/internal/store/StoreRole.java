// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.store;

import io.delayqueue.internal.redis.RedisKeys;
import io.delayqueue.internal.redis.Scripts;

/** One role of a {@link TaskStore}, whose methods each run one script. */
abstract class StoreRole {

    final Scripts scripts;
    final RedisKeys keys;
    final ClockOffset clock;
    final HistoriesKept histories;

    StoreRole(StoreParts parts) {
        this.scripts = parts.scripts();
        this.keys = parts.keys();
        this.clock = parts.clock();
        this.histories = parts.histories();
    }
}
