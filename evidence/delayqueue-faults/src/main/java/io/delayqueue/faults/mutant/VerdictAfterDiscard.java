// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.mutant;

import java.io.IOException;
import java.lang.reflect.Method;
import net.bytebuddy.asm.Advice;

/**
 * Before what the broker said of a batch is read: the end that its channel has when it was thrown away, which is done
 * with one that was left with open confirms.
 */
final class VerdictAfterDiscard {

    private VerdictAfterDiscard() {}

    /** Copied into the method, so that it can use only what is public. */
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
