// SPDX-License-Identifier: Apache-2.0
package io.delayqueue;

/**
 * A call on a group could not be ended. {@link TaskGroup#resume} goes on with it: what was done is not done again, not even
 * the step that failed, which may have run.
 */
public class GroupPartlyChangedException extends TaskStoreException {

    private static final long serialVersionUID = 1L;

    private final transient GroupResult done;
    private final String resumption;

    /**
     * @param done by the steps that were answered
     * @param resumption for {@link TaskGroup#resume}
     */
    public GroupPartlyChangedException(String message, GroupResult done, String resumption, Throwable cause) {
        super(message, true, cause);
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
