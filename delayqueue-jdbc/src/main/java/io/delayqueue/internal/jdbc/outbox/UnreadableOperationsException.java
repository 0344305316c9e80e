// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.jdbc.outbox;

import io.delayqueue.DelayQueueException;

/** Thrown if the bytes of a row are not operations of a known version. */
public final class UnreadableOperationsException extends DelayQueueException {

    private final boolean newer;

    UnreadableOperationsException(String message, boolean newer) {
        super(message);
        this.newer = newer;
    }

    /**
     * Returns whether a newer version of the library appears to have written the operations. A process with that
     * version can send them.
     */
    public boolean isNewer() {
        return newer;
    }
}
