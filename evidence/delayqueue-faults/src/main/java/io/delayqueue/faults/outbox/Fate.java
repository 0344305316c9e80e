// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.outbox;

import java.util.concurrent.TimeUnit;

/** What befalls an application at its point, on the thread that comes there. */
@FunctionalInterface
interface Fate {

    Fate DEATH = Mortal::die;

    void befall(Mortal mortal);

    /** Returns a fate in which the thread stands still and goes on, as in a process that was stopped. */
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
