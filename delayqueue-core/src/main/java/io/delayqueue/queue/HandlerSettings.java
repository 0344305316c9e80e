// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.queue;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How the handler of a queue's tasks runs, where it has one.
 *
 * @param timeout how long one attempt may take; null for unlimited
 */
public record HandlerSettings(@Nullable Duration timeout) {

    /** A handler may take as long as it likes. */
    public static final HandlerSettings DEFAULT = new HandlerSettings(null);

    public HandlerSettings {
        if (timeout != null) {
            Bound.HANDLER_TIMEOUT.check("handler.timeout", timeout);
        }
    }
}
