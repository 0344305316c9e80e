// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.test.server;

import java.time.Duration;
import java.util.function.BooleanSupplier;

/** Waits for conditions outside this JVM by polling. */
final class Pause {

    private Pause() {}

    static void millis(long millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new TestServerException("Interrupted while waiting for a test server", e);
        }
    }

    /** Polls every few milliseconds until the condition is met. Returns {@code false} after the limit. */
    static boolean until(Duration limit, BooleanSupplier condition) {
        long deadline = System.nanoTime() + limit.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - deadline > 0) {
                return false;
            }
            millis(20);
        }
        return true;
    }
}
