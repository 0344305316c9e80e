// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.redis;

import java.util.function.LongSupplier;

/**
 * What every script adds to its server's clock: nothing, but in tests that move time.
 *
 * @param millis asked before each call
 */
record ClockOffset(LongSupplier millis) {

    byte[] bytes() {
        return RedisBytes.bytes(millis.getAsLong());
    }
}
