// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.engine;

import io.delayqueue.delivery.QuarantineListener;
import io.delayqueue.internal.concurrent.Seam;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The quarantine listeners of an application in their order. What one throws is logged and keeps nothing from the
 * others.
 */
final class QuarantineListeners {

    private static final Logger log = LoggerFactory.getLogger(QuarantineListeners.class);

    private final List<QuarantineListener> listeners;

    /** @param listeners in their order */
    QuarantineListeners(List<? extends QuarantineListener> listeners) {
        this.listeners = List.copyOf(listeners);
    }

    /** Tells all of them, unless there is nothing to tell. */
    void tell(String queue, int tasks) {
        if (tasks == 0) {
            return;
        }
        for (QuarantineListener listener : listeners) {
            try {
                listener.quarantined(queue, tasks);
            } catch (Throwable ex) {
                Seam.tell(() -> log.warn("Queue '{}': a quarantine listener failed", queue, ex));
            }
        }
    }
}
