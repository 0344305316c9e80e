// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.store;

import java.time.Duration;

/**
 * The reply to a request for tokens of a queue's rate.
 *
 * @param taken number of tokens taken
 * @param untilNext how long to wait before the next call if no token could be taken
 * @param serverMicros the clock of the server, microseconds since the epoch
 */
public record RateTokens(int taken, Duration untilNext, long serverMicros) {}
