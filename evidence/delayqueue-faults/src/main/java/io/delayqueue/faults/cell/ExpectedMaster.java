// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.cell;

import io.delayqueue.test.server.TestServerException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The master that the last fault left. Sentinels put another one in its place by themselves where it was silent because
 * the machine was busy. Nobody knows when that began and what was lost by it, so that such a run cannot be judged.
 *
 * @param <S> a server
 */
final class ExpectedMaster<S> {

    private final Supplier<S> present;
    private @Nullable S expected;

    /** @param present asks for the master */
    ExpectedMaster(Supplier<S> present) {
        this.present = present;
    }

    /** Called when a fault has had another master named. */
    void changed() {
        expected = present.get();
    }

    /**
     * Returns the present master.
     *
     * @throws TestServerException if it is another one than the last fault left
     */
    S get() {
        S master = present.get();
        if (expected != null && !expected.equals(master)) {
            throw new TestServerException("The Sentinels put " + master + " in the place of " + expected
                    + ", to which nothing was done. The machine may be too busy.");
        }
        return master;
    }
}
