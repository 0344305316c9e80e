// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.rabbit;

import io.delayqueue.delivery.Delivery;
import io.delayqueue.internal.input.PrintableText;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Fails attempts, and says so once in a while: the first sign of a wrong route should not be a dead task. */
final class FailedAttempts {

    private static final Logger log = LoggerFactory.getLogger(FailedAttempts.class);
    private static final long INTERVAL_NANOS = TimeUnit.SECONDS.toNanos(30);

    private final AtomicLong nextWarning = new AtomicLong(System.nanoTime());

    /** Counts as one failed attempt of the task. The reason names the address where that matters. */
    void fail(Outgoing outgoing, String reason, boolean uncertain) {
        fail(outgoing.delivery(), reason, uncertain);
    }

    /** Counts as one failed attempt of the task, of which there is no message. */
    void fail(Delivery delivery, String reason, boolean uncertain) {
        if (log.isDebugEnabled()) {
            log.debug("{} failed: {}", delivery, PrintableText.of(reason, 256));
        }
        delivery.fail(reason, uncertain);
        long now = System.nanoTime();
        long due = nextWarning.get();
        if (now - due >= 0 && nextWarning.compareAndSet(due, now + INTERVAL_NANOS)) {
            log.warn(
                    "Queue '{}': task '{}' and perhaps others could not be delivered; they are tried again for as"
                            + " long as the queue's settings allow: {}",
                    delivery.queue(),
                    PrintableText.of(delivery.id(), 256),
                    PrintableText.of(reason, 256));
        }
    }
}
