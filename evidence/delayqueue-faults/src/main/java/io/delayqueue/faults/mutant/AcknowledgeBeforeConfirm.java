// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.mutant;

import io.delayqueue.delivery.OpenDelivery;
import io.delayqueue.delivery.Outcome;
import java.lang.reflect.Method;
import net.bytebuddy.asm.Advice;

/** Acknowledges a task at the end of the method that publishes its message. Later outcomes are then ignored. */
final class AcknowledgeBeforeConfirm {

    private AcknowledgeBeforeConfirm() {}

    /** The code to copy into the method, so it can use only public code. */
    @Advice.OnMethodExit
    static void published(@Advice.Argument(2) Object outgoing) throws ReflectiveOperationException {
        Method delivery = outgoing.getClass().getDeclaredMethod("delivery");
        delivery.setAccessible(true);
        ((OpenDelivery) delivery.invoke(outgoing)).settle(Outcome.delivered());
    }
}
