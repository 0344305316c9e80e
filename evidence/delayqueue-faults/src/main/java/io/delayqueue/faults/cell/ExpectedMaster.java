// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.cell;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The master after the last fault. If it was silent because the machine was busy, Sentinels may have replaced it
 * without a fault. It is unknown when that began and what was lost, so such a run cannot be judged.
 *
 * @param <S> a server
 */
final class ExpectedMaster<S> {

    private final Supplier<S> present;
    private @Nullable S expected;

    /** @param present returns the present master */
    ExpectedMaster(Supplier<S> present) {
        this.present = present;
    }

    /** Called after a fault that replaced the master. */
    void changed() {
        expected = present.get();
    }

    /**
     * Returns the present master.
     *
     * @throws IllegalStateException if it is not the one after the last fault
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
