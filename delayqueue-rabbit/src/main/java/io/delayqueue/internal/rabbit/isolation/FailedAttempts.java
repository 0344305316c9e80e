// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.rabbit.isolation;

import io.delayqueue.delivery.OpenDelivery;
import io.delayqueue.delivery.Outcome;
import io.delayqueue.internal.concurrent.Throttle;
import io.delayqueue.internal.input.PrintableText;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Fails attempts, and occasionally logs a warning, so that a wrong route is noticed before tasks become dead. */
public final class FailedAttempts {

    private static final Logger log = LoggerFactory.getLogger(FailedAttempts.class);

    private final Throttle warnings = new Throttle(Duration.ofSeconds(30));

    /**
     * Settles a failed attempt of a task. The reason contains the address if the tasks of the queue have several
     * addresses.
     */
    public void fail(OpenDelivery delivery, String reason, boolean uncertain) {
        if (log.isDebugEnabled()) {
            log.debug("{} failed: {}", delivery, PrintableText.of(reason, 256));
        }
        Outcome outcome = Outcome.failed(reason);
        delivery.settle(uncertain ? outcome.mayHaveArrived() : outcome);
        if (warnings.passes()) {
            log.warn(
                    "Queue '{}': could not deliver task '{}' and possibly others; retrying as the queue's settings "
                            + "allow: {}",
                    delivery.queue(),
                    PrintableText.line(delivery.id(), 256),
                    PrintableText.of(reason, 256));
        }
    }
}
