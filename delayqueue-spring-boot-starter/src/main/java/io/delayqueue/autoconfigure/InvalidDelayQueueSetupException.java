// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.autoconfigure;

import io.delayqueue.DelayQueueException;
import org.jspecify.annotations.Nullable;

/** The application must not start as it is set up. Says why and what to do. */
class InvalidDelayQueueSetupException extends DelayQueueException {

    private final @Nullable String property;
    private final String description;
    private final String action;

    /** A setup that no single property is to blame for. */
    InvalidDelayQueueSetupException(String description, String action) {
        this(null, description, action);
    }

    /** @param property whose value has to change; the description names it too */
    InvalidDelayQueueSetupException(@Nullable String property, String description, String action) {
        super(description + " " + action);
        this.property = property;
        this.description = description;
        this.action = action;
    }

    @Nullable
    String property() {
        return property;
    }

    String description() {
        return description;
    }

    String action() {
        return action;
    }
}
