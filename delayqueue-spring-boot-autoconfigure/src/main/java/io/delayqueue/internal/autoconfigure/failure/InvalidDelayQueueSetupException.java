// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.autoconfigure.failure;

import io.delayqueue.DelayQueueException;
import org.jspecify.annotations.Nullable;

/**
 * Thrown if the application's setup is invalid. The application does not start. The message explains the problem and
 * the solution.
 */
public class InvalidDelayQueueSetupException extends DelayQueueException {

    private final @Nullable String property;
    private final String description;
    private final String action;

    /** Creates an exception for a problem that is not caused by a single property. */
    public InvalidDelayQueueSetupException(String description, String action) {
        this(null, description, action);
    }

    /** @param property the property to change; the description also names it */
    public InvalidDelayQueueSetupException(@Nullable String property, String description, String action) {
        super(description + " " + action);
        this.property = property;
        this.description = description;
        this.action = action;
    }

    @Nullable
    public String property() {
        return property;
    }

    public String description() {
        return description;
    }

    public String action() {
        return action;
    }
}
