// SPDX-License-Identifier: Apache-2.0
package io.delayqueue;

/**
 * A call on a large group has changed a part of it. {@link TaskGroup#resume} changes the rest: it repeats no step, not even
 * the one that failed, which may have run.
 *
 * <p>This is no {@link TaskStoreException}: code that catches one and makes the call again would shift the first tasks twice.
 */
public class GroupPartlyChangedException extends DelayQueueException {

    private static final long serialVersionUID = 1L;

    private final transient GroupResult done;
    private final String resumption;

    /**
     * @param done by the steps that were answered
     * @param resumption for {@link TaskGroup#resume}
     */
    public GroupPartlyChangedException(String message, GroupResult done, String resumption, Throwable cause) {
        super(message, cause);
        this.done = done;
        this.resumption = resumption;
    }

    /** What the steps have done that were answered; null after serialization. */
    public GroupResult done() {
        return done;
    }

    /** What {@link TaskGroup#resume} takes. Plain text, which may be kept for ten minutes. */
    public String resumption() {
        return resumption;
    }
}
