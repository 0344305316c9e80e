// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.outbox;

import java.util.concurrent.TimeUnit;

/** Fates of an application at its failure point, on the thread that reaches it. */
@FunctionalInterface
interface Fate {

    Fate DEATH = Mortal::die;

    void befall(Mortal mortal);

    /** Returns a fate in which the thread freezes and continues later, as in a process that was stopped. */
    static Fate standingStill(long millis) {
        return mortal -> {
            try {
                TimeUnit.MILLISECONDS.sleep(millis);
            } catch (InterruptedException ex) {
                Thread.currentThread().interrupt();
            }
        };
    }
}
