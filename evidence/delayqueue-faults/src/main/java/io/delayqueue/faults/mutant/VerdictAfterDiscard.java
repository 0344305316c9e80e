// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.mutant;

import java.io.IOException;
import java.lang.reflect.Method;
import net.bytebuddy.asm.Advice;

/**
 * Ends a batch as if its channel had been discarded, before the broker's answers to the batch are read. This is what
 * happens to a channel with outstanding confirms.
 */
final class VerdictAfterDiscard {

    private VerdictAfterDiscard() {}

    /** The code to copy into the method, so it can use only public code. */
    @Advice.OnMethodEnter
    static void read(@Advice.This Object tracker) throws ReflectiveOperationException {
        Method reusable = tracker.getClass().getDeclaredMethod("leavesChannelReusable");
        reusable.setAccessible(true);
        if (!(boolean) reusable.invoke(tracker)) {
            Method end = tracker.getClass().getDeclaredMethod("end", Throwable.class);
            end.setAccessible(true);
            end.invoke(tracker, new IOException("clean channel shutdown"));
        }
    }
}
