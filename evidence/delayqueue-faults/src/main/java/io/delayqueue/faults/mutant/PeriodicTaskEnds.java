// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.mutant;

import net.bytebuddy.asm.Advice;

/** Makes the first run of a periodic step throw an error that is not caught, so that there is no second run. */
final class PeriodicTaskEnds {

    private PeriodicTaskEnds() {}

    /** The code to copy into the method, so it can use only public code. */
    static final class ByAnError {

        private ByAnError() {}

        @Advice.OnMethodEnter
        static void runs() {
            if (System.setProperty("faults.mutant.thrown", "yes") == null) {
                throw new NoSuchMethodError("as of a class of another version");
            }
        }
    }

    /** The code to copy into the method: it runs the step without the code around it. */
    static final class Unguarded {

        private Unguarded() {}

        @Advice.OnMethodEnter(skipOn = Advice.OnNonDefaultValue.class)
        static boolean runs(@Advice.Argument(0) Runnable step) {
            step.run();
            return true;
        }
    }
}
