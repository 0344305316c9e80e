// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.testkit;

import static io.delayqueue.TestRequests.requestTo;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import io.delayqueue.DelayQueueOperations;
import io.delayqueue.test.DelayQueueTest;
import io.delayqueue.test.DelayQueueTestKit;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.test.context.TestContextManager;

/** Test classes whose configurations are equal, and which so have one context. */
class SharedContextIntegrationTests {

    private final Running one = new Running(new One());
    private final Running other = new Running(new Other());

    @AfterEach
    void letGo() {
        one.bean(Journal.class).hold.countDown();
    }

    @Test
    void beginWhenAnotherTestHasNotEndedFailsAndLeavesItsTasks() throws Exception {
        one.begin();
        one.schedule(Duration.ofMinutes(15));
        assertThatExceptionOfType(IllegalStateException.class)
                .isThrownBy(other::begin)
                .withMessageContainingAll(
                        "SharedContextIntegrationTests$Other.test shares this context",
                        "SharedContextIntegrationTests$One.test, which has not ended",
                        "@ResourceLock",
                        "@Isolated",
                        "@Execution(SAME_THREAD)");
        other.end();
        assertThat(one.bean(DelayQueueTestKit.class).queue("orders")).hasTaskCount(1);
        one.end();
        assertThat(one.bean(DelayQueueTestKit.class).queue("orders")).hasNoTasks();
        other.begin();
        other.end();
    }

    @Test
    void beginWhenTheTestBeforeOfItsClassWasNotToldToHaveEndedSucceeds() throws Exception {
        one.begin();
        one.begin();
        one.end();
        other.begin();
        other.end();
    }

    @Test
    void beginWhenAnotherTestCouldNotBeResetSucceeds() throws Exception {
        one.begin();
        one.bean(Journal.class).hold = new CountDownLatch(1);
        one.schedule(Duration.ZERO);
        await().until(() -> !one.bean(Journal.class).entries.isEmpty());
        assertThatExceptionOfType(AssertionError.class).isThrownBy(one::end);
        other.begin();
        one.bean(Journal.class).hold.countDown();
        other.end();
    }

    @Nested
    @DelayQueueTest(queues = "orders")
    class Outer {

        @RepeatedTest(2)
        void beginWhenATestIsRepeatedSucceeds(@Autowired DelayQueueOperations tasks, @Autowired DelayQueueTestKit kit) {
            assertThat(kit.queue("orders")).hasNoTasks();
            tasks.schedule(requestTo("orders", "x", Duration.ofMinutes(15)));
        }

        @Nested
        class Inner {

            @RepeatedTest(2)
            void beginWhenAClassIsNestedSucceeds(
                    @Autowired DelayQueueOperations tasks, @Autowired DelayQueueTestKit kit) {
                assertThat(kit.queue("orders")).hasNoTasks();
                tasks.schedule(requestTo("orders", "x", Duration.ofMinutes(15)));
            }
        }
    }

    /** A test as JUnit runs it, step by step. */
    private static final class Running {

        private final Object instance;
        private final Method method;
        private final TestContextManager manager;

        Running(Object instance) {
            this.instance = instance;
            this.manager = new TestContextManager(instance.getClass());
            try {
                this.method = instance.getClass().getDeclaredMethod("test");
            } catch (NoSuchMethodException ex) {
                throw new AssertionError(ex);
            }
        }

        void begin() throws Exception {
            manager.beforeTestMethod(instance, method);
        }

        void end() throws Exception {
            manager.afterTestMethod(instance, method, null);
        }

        void schedule(Duration delay) {
            bean(DelayQueueOperations.class).schedule(requestTo("orders", "x", delay));
        }

        <T> T bean(Class<T> type) {
            return manager.getTestContext().getApplicationContext().getBean(type);
        }
    }

    @DelayQueueTest(
            value = Journal.class,
            queues = {"orders", "reminders", "rounds"},
            properties = "delayqueue.test.timeout=2s")
    static final class One {

        void test() {}
    }

    @DelayQueueTest(
            value = Journal.class,
            queues = {"orders", "reminders", "rounds"},
            properties = "delayqueue.test.timeout=2s")
    static final class Other {

        void test() {}
    }
}
