// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.jdbc.outbox;

import io.delayqueue.DelayQueueException;

/** The bytes of a row are not operations of a version that is known here. */
public final class UnreadableOperationsException extends DelayQueueException {

    private final boolean newer;

    UnreadableOperationsException(String message, boolean newer) {
        super(message);
        this.newer = newer;
    }

    /** Whether a newer version of the library seems to have written them, which a process of that version can send. */
    public boolean isNewer() {
        return newer;
    }
}
