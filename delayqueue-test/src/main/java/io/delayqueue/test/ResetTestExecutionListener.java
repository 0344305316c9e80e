// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.test;

import org.springframework.test.context.TestContext;
import org.springframework.test.context.TestContextAnnotationUtils;
import org.springframework.test.context.TestExecutionListener;

/** Registered in {@code META-INF/spring.factories}; empties the queues after each test that wants that. */
final class ResetTestExecutionListener implements TestExecutionListener {

    @Override
    public void afterTestMethod(TestContext test) {
        AutoConfigureDelayQueueTest kit =
                TestContextAnnotationUtils.findMergedAnnotation(test.getTestClass(), AutoConfigureDelayQueueTest.class);
        if (kit != null && kit.reset() && test.hasApplicationContext()) {
            test.getApplicationContext().getBean(DelayQueueTestKit.class).reset();
        }
    }
}
