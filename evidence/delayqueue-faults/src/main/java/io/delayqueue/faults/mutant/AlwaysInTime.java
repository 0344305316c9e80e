// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.mutant;

import net.bytebuddy.asm.Advice;

/** Replaces the check whether a delivery may start: it always may. */
final class AlwaysInTime {

    private AlwaysInTime() {}

    @Advice.OnMethodEnter(skipOn = Advice.OnNonDefaultValue.class)
    static boolean look() {
        return true;
    }

    @Advice.OnMethodExit
    static void admit(@Advice.Return(readOnly = false) boolean admitted) {
        admitted = true;
    }
}
