// SPDX-License-Identifier: Apache-2.0
package io.delayqueue;

import java.time.Instant;

/**
 * A delivery attempt that failed or whose lease expired.
 *
 * @param at time when it ended, by the clock of Redis
 * @param reason reason for the failure, up to 100 characters
 */
public record FailedAttempt(Instant at, String reason) {}
