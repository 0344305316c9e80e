// SPDX-License-Identifier: Apache-2.0
package io.delayqueue;

/**
 * Thrown if a call on a large group changed only a part of it. {@link TaskGroup#resume} changes the rest without
 * repeating a step, even if the failed step was executed.
 *
 * <p>This is not a {@link TaskStoreException}: code that catches a {@code TaskStoreException} and repeats the call
 * would shift some tasks twice.
 */
public class GroupPartlyChangedException extends DelayQueueException {

    private static final long serialVersionUID = 1L;

    private final transient GroupResult done;
    private final String resumption;

    /**
     * @param done result of the confirmed steps
     * @param resumption the string for {@link TaskGroup#resume}
     */
    public GroupPartlyChangedException(String message, GroupResult done, String resumption, Throwable cause) {
        super(message, cause);
        this.done = done;
        this.resumption = resumption;
    }

    /** Returns the result of the confirmed steps; null after serialization. */
    public GroupResult done() {
        return done;
    }

    /** Returns the string for {@link TaskGroup#resume}, valid for ten minutes. */
    public String resumption() {
        return resumption;
    }
}
