// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.mutant;

import java.util.Arrays;
import net.bytebuddy.asm.Advice;

/** Where an attempt at a call is seen to have failed: the first task to be stored gets another id for the next one. */
final class RetriedUnderNewId {

    private RetriedUnderNewId() {}

    /** Copied into the method, so that it can use only what is public. */
    @Advice.OnMethodEnter
    static void failed(@Advice.FieldValue("script") Object script, @Advice.FieldValue("args") byte[][] arguments) {
        if (script.toString().equals("SCHEDULE")) {
            int id = 6;
            byte[] other = Arrays.copyOf(arguments[id], arguments[id].length + 1);
            other[other.length - 1] = '~';
            arguments[id] = other;
        }
    }
}
