// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.mutant;

import java.util.Arrays;
import net.bytebuddy.asm.Advice;
import org.jspecify.annotations.Nullable;

/** At the beginning of each attempt at a call: if one has failed before, the first task to be stored gets another id. */
final class RetriedUnderNewId {

    private RetriedUnderNewId() {}

    /** Copied into the method, so that it can use only what is public. */
    @Advice.OnMethodEnter
    static void attempt(
            @Advice.FieldValue("script") Object script,
            @Advice.FieldValue("args") byte[][] arguments,
            @Advice.FieldValue("lastCause") @Nullable Throwable failure) {
        if (failure != null && script.toString().equals("SCHEDULE")) {
            int id = 5;
            byte[] other = Arrays.copyOf(arguments[id], arguments[id].length + 1);
            other[other.length - 1] = '~';
            arguments[id] = other;
        }
    }
}
