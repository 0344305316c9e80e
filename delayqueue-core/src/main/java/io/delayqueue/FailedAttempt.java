// SPDX-License-Identifier: Apache-2.0
package io.delayqueue;

import java.time.Instant;

/**
 * A delivery attempt that failed or whose lease expired.
 *
 * @param at when it ended, by the clock of Redis
 * @param reason why it failed, up to 100 characters
 */
public record FailedAttempt(Instant at, String reason) {}
