// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.autoconfigure.settings;

import io.delayqueue.internal.autoconfigure.failure.InvalidDelayQueueSetupException;

/**
 * Checks that an application runs with the same {@code delayqueue.enabled} with which it was processed ahead of time.
 * The property selects beans at build time. A mix would connect and deliver despite being disabled, or wait for a store
 * that refuses calls.
 */
public final class BuiltAs {

    private static final String PROPERTY = "delayqueue.enabled";

    private BuiltAs() {}

    /**
     * @param built the property's value at build time
     * @throws InvalidDelayQueueSetupException if it has changed
     */
    public static void check(DelayQueueProperties properties, boolean built) {
        if (properties.enabled() != built) {
            throw new InvalidDelayQueueSetupException(
                    PROPERTY,
                    "The application was processed ahead of time with " + PROPERTY + "=" + built
                            + ", which cannot change afterwards, but was started with " + PROPERTY + "="
                            + properties.enabled()
                            + ".",
                    "Start it with " + PROPERTY + "=" + built + ", or process it with the other value. To stop only the"
                            + " deliveries of a queue, set its trigger.auto-startup to false.");
        }
    }
}
