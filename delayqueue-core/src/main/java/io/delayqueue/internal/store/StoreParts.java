// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.store;

import io.delayqueue.internal.redis.RedisKeys;
import io.delayqueue.internal.redis.ScriptRunner;

/** The parts that all roles of a {@link TaskStore} use. */
record StoreParts(ScriptRunner scripts, RedisKeys keys, QueueClock clock, HistoriesKept histories) {}
