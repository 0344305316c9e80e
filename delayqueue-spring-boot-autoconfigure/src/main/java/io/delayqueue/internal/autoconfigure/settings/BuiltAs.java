// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.autoconfigure.settings;

import io.delayqueue.autoconfigure.DelayQueueProperties;
import io.delayqueue.internal.autoconfigure.failure.InvalidDelayQueueSetupException;

/**
 * Whether an application that was processed ahead of time is started as it was built: {@code delayqueue.enabled} chooses
 * beans, and that is done when it is built. Half of both would connect and deliver, or wait for a store that refuses.
 */
public final class BuiltAs {

    private static final String PROPERTY = "delayqueue.enabled";

    private BuiltAs() {}

    /**
     * @param built what the property was when the beans were chosen
     * @throws InvalidDelayQueueSetupException if it is not that any more
     */
    public static void check(DelayQueueProperties properties, boolean built) {
        if (properties.enabled() != built) {
            throw new InvalidDelayQueueSetupException(
                    PROPERTY,
                    "The application was processed ahead of time with " + PROPERTY + "=" + built
                            + ", which is fixed by that, and is started with " + PROPERTY + "=" + properties.enabled()
                            + ".",
                    "Start it with " + PROPERTY + "=" + built + ", or process it with the other value. To stop only the"
                            + " deliveries of a queue, set its trigger.auto-startup to false.");
        }
    }
}
