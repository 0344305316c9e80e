// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.cell;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The master after the last fault. If the machine is busy and the master does not answer, Sentinels may replace it
 * without a fault. Such a run cannot be judged, because it is unknown when this started and what was lost.
 *
 * @param <S> a server
 */
final class ExpectedMaster<S> {

    private final Supplier<S> present;
    private @Nullable S expected;

    /** @param present returns the current master */
    ExpectedMaster(Supplier<S> present) {
        this.present = present;
    }

    /** Called after a fault that replaced the master. */
    void changed() {
        expected = present.get();
    }

    /**
     * Returns the current master.
     *
     * @throws IllegalStateException if it is not the master after the last fault
     */
    S get() {
        S master = present.get();
        if (expected != null && !expected.equals(master)) {
            throw new IllegalStateException("The Sentinels replaced " + expected + " with " + master
                    + ", although no fault was applied to it. The machine may be too busy.");
        }
        return master;
    }
}
