// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.load;

import java.io.IOException;
import java.util.List;
import java.util.Random;

/** Randomly throws what application code may throw: exceptions, and unexpected errors. */
final class ThrownAtRandom {

    private static final List<Step> KINDS = List.of(
            ThrownAtRandom::overflow,
            ThrownAtRandom::outOfMemory,
            () -> {
                throw new NoSuchMethodError("as of an interceptor that was compiled against another version");
            },
            () -> {
                throw new NoClassDefFoundError("as of a class that is not on the class path");
            },
            () -> {
                throw new ExceptionInInitializerError("as of a static field");
            },
            () -> {
                throw new AssertionError("as with -ea");
            },
            () -> {
                throw new InternalError("as of the JVM");
            },
            () -> {
                throw new IllegalStateException("as any day");
            },
            () -> {
                throw new IllegalStateException() {

                    private static final long serialVersionUID = 1;

                    @Override
                    public String getMessage() {
                        throw new LinkageError("as of a message that cannot be made");
                    }
                };
            },
            () -> rethrow(new IOException("checked, as from code that hides it")));

    private final double share;
    private final Random random;

    /** @param percent probability in percent */
    ThrownAtRandom(double percent, Random random) {
        this.share = percent / 100;
        this.random = random;
    }

    /** Throws with the given probability. */
    void perhaps() {
        if (random.nextDouble() < share) {
            KINDS.get(random.nextInt(KINDS.size())).perform();
        }
    }

    private static void overflow() {
        overflow(1);
    }

    private static int overflow(int depth) {
        return overflow(depth + 1) + 1;
    }

    /**
     * Makes one allocation that is too large for any heap, so that no garbage is collected for it; other allocations
     * succeed.
     */
    private static void outOfMemory() {
        if (new long[Integer.MAX_VALUE].length == 0) {
            throw new IllegalStateException("there is no such array");
        }
    }

    @SuppressWarnings("unchecked")
    private static <E extends Throwable> void rethrow(Throwable thrown) throws E {
        throw (E) thrown;
    }

    private interface Step {

        void perform();
    }
}
