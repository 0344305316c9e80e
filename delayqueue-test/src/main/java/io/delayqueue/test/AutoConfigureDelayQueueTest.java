// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.test;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Adds a {@link DelayQueueTestKit} bean to the context of a test, such as a {@code @SpringBootTest}. The clock of the
 * queues then advances only when the test advances it.
 *
 * <p>The keys in Redis have a prefix that is unique to the context and overrides {@code delayqueue.key-prefix}, so that
 * contexts do not share tasks. The keys are deleted when the context closes. This applies only to Redis: exchanges and
 * queues of a RabbitMQ broker have the names that the application configures.
 *
 * <p>Tests that share a context share its queues and clock. Spring caches contexts, so all methods of a class, and all
 * classes with equal configuration, share a context. Therefore, only classes with different configurations may run in
 * parallel. A test fails with an {@link IllegalStateException} if it starts before another test of its context has
 * ended. With {@link #reset} disabled, it does not fail, but sees the changes of other tests.
 *
 * <p>By default, the context starts its own embedded Redis and ignores {@code spring.data.redis}. It does not if it has
 * other connection details, for example from {@code @ServiceConnection}. If {@code delayqueue.test.embedded.redis} is
 * {@code false}, it never starts one; if {@code auto}, only if no property configures a server.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Inherited
public @interface AutoConfigureDelayQueueTest {

    /**
     * Set to {@code true} to use {@link DelayQueueTestKit#clock()} as the application's primary {@link java.time.Clock}
     * bean.
     */
    boolean clock() default false;

    /** Set to {@code false} to disable the {@link DelayQueueTestKit#reset()} after each test method. */
    boolean reset() default true;

    /**
     * Names of additional queues. They have the default settings unless the application's properties configure them.
     */
    String[] queues() default {};
}
