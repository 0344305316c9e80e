// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.test;

import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.springframework.test.context.TestContext;

/**
 * The test method that currently uses a context's queues and clock. Thread-safe.
 *
 * <p>Each thread has a separate {@link TestContext} for each test class, which distinguishes concurrent tests. If the
 * end of a test is not reported, for example because its preparation failed, the next test of the class replaces it.
 */
final class CurrentTest {

    private final AtomicReference<Turn> turn = new AtomicReference<>(Turn.NOBODYS);

    /** @throws IllegalStateException if another test has not ended */
    void begin(TestContext test) {
        Turn taken = take(test);
        if (taken.test() != test) {
            throw new IllegalStateException(name(test) + " shares this context, its queues and its clock with "
                    + taken.name()
                    + ", which has not ended. Run them one after the other, with the same "
                    + "@ResourceLock on both classes, @Isolated or @Execution(SAME_THREAD). Or "
                    + "configure one of them differently, so that it gets a separate context.");
        }
    }

    /** Runs the cleanup after a test, unless another test is using the context. */
    void end(TestContext test, Runnable after) {
        if (take(test).test() == test) {
            try {
                after.run();
            } finally {
                turn.set(Turn.NOBODYS);
            }
        }
    }

    /** Returns the turn of this test, or of an earlier test that has not ended. */
    private Turn take(TestContext test) {
        return turn.updateAndGet(now -> (now.test() == null || now.test() == test) ? new Turn(test, name(test)) : now);
    }

    private static String name(TestContext test) {
        return test.getTestClass().getName() + "." + test.getTestMethod().getName();
    }

    private record Turn(@Nullable TestContext test, String name) {

        static final Turn NOBODYS = new Turn(null, "no test");
    }
}
