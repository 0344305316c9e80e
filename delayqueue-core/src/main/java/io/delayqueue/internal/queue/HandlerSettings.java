// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.queue;

import io.delayqueue.internal.input.Bound;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Execution of a queue's handler, if there is one.
 *
 * @param timeout maximum duration of one attempt; null for unlimited
 */
public record HandlerSettings(@Nullable Duration timeout) {

    /** No time limit. */
    public static final HandlerSettings DEFAULT = new HandlerSettings(null);

    public HandlerSettings {
        if (timeout != null) {
            Bound.HANDLER_TIMEOUT.check("handler.timeout", timeout);
        }
    }
}
