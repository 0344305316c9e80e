// SPDX-License-Identifier: Apache-2.0
package io.delayqueue;

import java.time.Instant;

/**
 * An attempt to deliver a task that counted as a failure, or whose lease ran out.
 *
 * @param at when it ended, by the clock of Redis
 * @param reason why it failed, its first 100 characters
 */
public record FailedAttempt(Instant at, String reason) {}
