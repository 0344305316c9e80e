// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.autoconfigure.failure;

import io.delayqueue.DelayQueueException;
import org.jspecify.annotations.Nullable;

/** The application must not start as it is set up. Says why and what to do. */
public class InvalidDelayQueueSetupException extends DelayQueueException {

    private final @Nullable String property;
    private final String description;
    private final String action;

    /** A setup that no single property is to blame for. */
    public InvalidDelayQueueSetupException(String description, String action) {
        this(null, description, action);
    }

    /** @param property whose value has to change; the description names it too */
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
