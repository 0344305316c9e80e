// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.test;

import org.springframework.context.ApplicationContext;
import org.springframework.test.context.TestContext;
import org.springframework.test.context.TestContextAnnotationUtils;
import org.springframework.test.context.support.AbstractTestExecutionListener;

/**
 * Registered in {@code META-INF/spring.factories}. Gives the kit of a context to one test at a time, and empties the
 * queues afterwards unless the test disables that.
 */
final class ResetTestExecutionListener extends AbstractTestExecutionListener {

    /**
     * Order of this listener: after the test's transaction has ended (4000), because it may commit, and before the
     * context may be closed (3000).
     */
    private static final int ORDER = 3500;

    @Override
    public int getOrder() {
        return ORDER;
    }

    @Override
    public void beforeTestMethod(TestContext test) {
        if (isReset(test)) {
            test.getApplicationContext().getBean(CurrentTest.class).begin(test);
        }
    }

    @Override
    public void afterTestMethod(TestContext test) {
        if (isReset(test) && test.hasApplicationContext()) {
            ApplicationContext context = test.getApplicationContext();
            context.getBean(CurrentTest.class)
                    .end(test, () -> context.getBean(DelayQueueTestKit.class).reset());
        }
    }

    private static boolean isReset(TestContext test) {
        AutoConfigureDelayQueueTest kit =
                TestContextAnnotationUtils.findMergedAnnotation(test.getTestClass(), AutoConfigureDelayQueueTest.class);
        return kit != null && kit.reset();
    }
}
