// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.admin;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A pause of a queue.
 *
 * @param since time when the pause began, by the clock of Redis
 * @param until time when the pause ends automatically; null if it lasts until the queue is resumed
 * @param by name of the operator who paused the queue; empty if unknown
 * @param reason reason for the pause; empty for none
 */
public record QueuePause(Instant since, @Nullable Instant until, String by, String reason) {}
