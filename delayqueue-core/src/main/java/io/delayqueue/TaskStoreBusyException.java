// SPDX-License-Identifier: Apache-2.0
package io.delayqueue;

/**
 * More asynchronous calls wait for their answers than may: nothing was sent. Wait for some of the earlier stages, then send
 * the request again.
 */
public class TaskStoreBusyException extends TaskStoreException {

    public TaskStoreBusyException(String message) {
        super(message, false, null);
    }
}
