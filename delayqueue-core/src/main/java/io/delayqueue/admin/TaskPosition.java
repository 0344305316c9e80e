// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.admin;

import java.time.Instant;

/**
 * A place among the live or the dead tasks of a queue.
 *
 * @param shard number of a shard
 * @param at when a live task in it needs attention next, or when a dead one died
 * @param id id of that task, which may be gone by now; empty for a place before all tasks of the moment
 */
public record TaskPosition(int shard, Instant at, String id) {}
