// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.test;

import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.springframework.test.context.TestContext;

/**
 * The test method that has a context's queues and their time now. Safe for use by many threads.
 *
 * <p>Each thread has a {@link TestContext} of its own for each test class, so that tells tests at one time apart. A test that
 * was never told to have ended, as one whose preparation failed, is followed by the next one of its class.
 */
final class CurrentTest {

    private final AtomicReference<Turn> turn = new AtomicReference<>(Turn.NOBODYS);

    /** @throws IllegalStateException if another test has not ended */
    void begin(TestContext test) {
        Turn taken = take(test);
        if (taken.test() != test) {
            throw new IllegalStateException(
                    name(test) + " shares this context, and with it the queues and their time, with "
                            + taken.name()
                            + ", which has not ended. Run them one after the other: with the same @ResourceLock on both"
                            + " classes, with @Isolated, or with @Execution(SAME_THREAD); or give one of them another"
                            + " configuration, and so a context of its own.");
        }
    }

    /** Does what is to be done after a test, but while another one has its turn. */
    void end(TestContext test, Runnable after) {
        if (take(test).test() == test) {
            try {
                after.run();
            } finally {
                turn.set(Turn.NOBODYS);
            }
        }
    }

    /** The turn that it is now, of this test or of one that came before it. */
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
