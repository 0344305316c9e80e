// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.test;

import org.springframework.test.context.TestContext;
import org.springframework.test.context.TestContextAnnotationUtils;
import org.springframework.test.context.support.AbstractTestExecutionListener;

/** Registered in {@code META-INF/spring.factories}; empties the queues after each test that wants that. */
final class ResetTestExecutionListener extends AbstractTestExecutionListener {

    /** After the test's transaction has ended (4000), as that may commit; before the context may be closed (3000). */
    private static final int ORDER = 3500;

    @Override
    public int getOrder() {
        return ORDER;
    }

    @Override
    public void afterTestMethod(TestContext test) {
        AutoConfigureDelayQueueTest kit =
                TestContextAnnotationUtils.findMergedAnnotation(test.getTestClass(), AutoConfigureDelayQueueTest.class);
        if (kit != null && kit.reset() && test.hasApplicationContext()) {
            test.getApplicationContext().getBean(DelayQueueTestKit.class).reset();
        }
    }
}
