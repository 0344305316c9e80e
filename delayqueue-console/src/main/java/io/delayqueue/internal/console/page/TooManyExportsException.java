// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.console.page;

import io.delayqueue.DelayQueueException;

/** As many files are made already as this process makes at once. */
public final class TooManyExportsException extends DelayQueueException {

    TooManyExportsException(String message) {
        super(message);
    }
}
