// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.mutant;

import net.bytebuddy.asm.Advice;

/** Replaces the check whether a process scans a shard in place of its owner: it never does. */
final class NeverStandsIn {

    private NeverStandsIn() {}

    @Advice.OnMethodEnter(skipOn = Advice.OnNonDefaultValue.class)
    static boolean look() {
        return true;
    }
}
