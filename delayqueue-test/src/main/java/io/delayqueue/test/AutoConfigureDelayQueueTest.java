// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.test;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Adds a {@link DelayQueueTestKit} to the context of a test, such as a {@code @SpringBootTest}. Inject it as a bean.
 * The clock of the queues then stands still until the test advances it.
 *
 * <p>The queues use their own keys in Redis, with a prefix that is unique to the context and overrides
 * {@code delayqueue.key-prefix}. The keys are deleted when the context closes, so contexts do not see each other's
 * tasks. This applies to Redis only: exchanges and queues of a RabbitMQ broker keep the names that the application
 * gives them.
 *
 * <p>Tests that share a context share its queues and clock. Spring caches contexts, so all methods of a class, and of
 * all classes with equal configuration, share one. Only classes with different configurations may run in parallel. A
 * test that starts before another test of its context has ended fails with an {@link IllegalStateException}. A test
 * that disables {@link #reset} does not fail, but sees the changes of other tests.
 *
 * <p>The context starts its own embedded Redis and ignores {@code spring.data.redis}, unless it has other connection
 * details, for example from {@code @ServiceConnection}, or {@code delayqueue.test.embedded.redis} is {@code false} or
 * {@code auto}.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Inherited
public @interface AutoConfigureDelayQueueTest {

    /**
     * Set to {@code true} to use {@link DelayQueueTestKit#clock()} as the application's {@link java.time.Clock}. It
     * becomes the primary bean of that type.
     */
    boolean clock() default false;

    /** Set to {@code false} not to call {@link DelayQueueTestKit#reset()} after each test method. */
    boolean reset() default true;

    /** Names of queues to add, with the default settings unless the application's properties configure them. */
    String[] queues() default {};
}
