// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.test;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Gives the context of a test, such as a {@code @SpringBootTest}, a {@link DelayQueueTestKit}: a bean, to be injected. The
 * time of the queues stands still then until the test moves it.
 *
 * <p>The queues have keys of their own in Redis, with a prefix that no other context has, whatever {@code
 * delayqueue.key-prefix} says; they are deleted when the context closes. So contexts do not see each other's tasks. This goes
 * for Redis alone: exchanges and queues of a RabbitMQ broker have the names that the application gives them.
 *
 * <p>Tests that share a context share its queues and their time: the methods of a class, and those of all classes of equal
 * configuration, as Spring caches contexts. Only classes whose configurations differ may run in parallel. A test that begins
 * while another one of its context has not ended fails with an {@link IllegalStateException}, unless one of them is not {@link
 * #reset}: it has to live with what the other does.
 *
 * <p>The context has an embedded Redis of its own, whatever {@code spring.data.redis} says, unless it has other connection
 * details, as of {@code @ServiceConnection}, or the property {@code delayqueue.test.embedded.redis} is {@code false} or {@code
 * auto}.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Inherited
public @interface AutoConfigureDelayQueueTest {

    /**
     * Whether the application's {@link java.time.Clock} is {@link DelayQueueTestKit#clock()}: a primary bean of that type,
     * beside which others may be.
     */
    boolean clock() default false;

    /** Whether {@link DelayQueueTestKit#reset()} is called after each test method. */
    boolean reset() default true;

    /** Names of queues to be there, with the defaults where the application's properties do not configure them. */
    String[] queues() default {};
}
