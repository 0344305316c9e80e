// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.store;

import io.delayqueue.internal.redis.RedisKeys;
import io.delayqueue.internal.redis.Scripts;

/**
 * The parts that all roles of a {@link TaskStore} use.
 *
 * @param scripts runs scripts
 * @param keys names the keys
 * @param clock the clock of the scripts
 * @param histories the lengths of histories, for scripts
 */
record StoreParts(Scripts scripts, RedisKeys keys, QueueClock clock, HistoriesKept histories) {}
