// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.test.junit;

import io.delayqueue.test.AutoConfigureDelayQueueTest;
import org.springframework.test.context.TestContext;
import org.springframework.test.context.TestContextAnnotationUtils;
import org.springframework.test.context.support.AbstractTestExecutionListener;

/**
 * Registered in {@code META-INF/spring.factories}; makes servers that a test left down run again already at its end, where
 * the test kit then empties its queues.
 */
final class RunAgainTestExecutionListener extends AbstractTestExecutionListener {

    /** After the test's transaction has ended (4000), and before the kit's reset (3500). */
    private static final int ORDER = 3600;

    @Override
    public int getOrder() {
        return ORDER;
    }

    @Override
    public void afterTestMethod(TestContext test) {
        AutoConfigureDelayQueueTest kit =
                TestContextAnnotationUtils.findMergedAnnotation(test.getTestClass(), AutoConfigureDelayQueueTest.class);
        DelayQueueServers servers =
                TestContextAnnotationUtils.findMergedAnnotation(test.getTestClass(), DelayQueueServers.class);
        if (kit != null && kit.reset() && servers != null && test.hasApplicationContext()) {
            SharedServers.INSTANCE.start(servers);
        }
    }
}
