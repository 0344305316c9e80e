// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.test;

import org.springframework.context.ApplicationContext;
import org.springframework.test.context.TestContext;
import org.springframework.test.context.TestContextAnnotationUtils;
import org.springframework.test.context.support.AbstractTestExecutionListener;

/**
 * Reserves the kit of a context for one test at a time, and empties the queues after the test unless the test disables
 * this. Registered in {@code META-INF/spring.factories}.
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
