// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.store;

import io.delayqueue.internal.redis.RedisKeys;
import io.delayqueue.internal.redis.Scripts;

/**
 * What the roles of a {@link TaskStore} share.
 *
 * @param scripts runs scripts
 * @param keys names the keys
 * @param clock what scripts add to the server's clock
 * @param histories what scripts write into histories
 */
record StoreParts(Scripts scripts, RedisKeys keys, ClockOffset clock, HistoriesKept histories) {}
