// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.outbox;

import java.util.concurrent.TimeUnit;

/** Fates of an application at its failure point, on the thread that reaches it. */
@FunctionalInterface
interface Fate {

    Fate DEATH = Mortal::die;

    void befall(Mortal mortal);

    /** Returns a fate that freezes the thread and lets it continue later, as in a stopped process. */
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
