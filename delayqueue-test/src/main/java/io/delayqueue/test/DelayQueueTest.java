// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.test;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.test.autoconfigure.OverrideAutoConfiguration;
import org.springframework.boot.test.context.filter.annotation.TypeExcludeFilters;
import org.springframework.context.annotation.ComponentScan.Filter;
import org.springframework.core.annotation.AliasFor;
import org.springframework.test.context.BootstrapWith;
import org.springframework.test.context.junit.jupiter.SpringExtension;

/**
 * Test slice for code that schedules and handles delayed tasks. The context contains the queues of the application's
 * properties, the operations, the admin, a {@link DelayQueueTestKit}, and the application components that you name. It
 * uses an embedded Redis, and a clock that advances only when the test advances it; see {@link
 * AutoConfigureDelayQueueTest}.
 *
 * <p>The context has no RabbitMQ, so tasks of queues with an exchange are not delivered. To test such queues, set {@code
 * delayqueue.test.embedded.rabbit} and add {@code @ImportAutoConfiguration} with {@code RabbitAutoConfiguration} and
 * {@code DelayQueueRabbitAutoConfiguration}, or use {@code @SpringBootTest} with {@link AutoConfigureDelayQueueTest}.
 *
 * <p>As for all test slices of Spring Boot, the {@code @SpringBootConfiguration} is looked up in the package of the
 * test and its parents. Use {@code @Import} to add other beans.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Inherited
@BootstrapWith(DelayQueueTestContextBootstrapper.class)
@ExtendWith(SpringExtension.class)
@OverrideAutoConfiguration(enabled = false)
@TypeExcludeFilters(DelayQueueTypeExcludeFilter.class)
@AutoConfigureDelayQueueTest
@ImportAutoConfiguration
public @interface DelayQueueTest {

    /**
     * Classes of beans to add, such as beans with {@code @DelayQueueListener} methods or beans that schedule tasks.
     * They do not have to be found by a component scan.
     */
    Class<?>[] value() default {};

    /**
     * Names of additional queues. They have the default settings unless the application's properties configure them.
     */
    @AliasFor(annotation = AutoConfigureDelayQueueTest.class)
    String[] queues() default {};

    /** Properties for the environment, as {@code key=value}. */
    String[] properties() default {};

    /** Set to {@code true} to use {@link DelayQueueTestKit#clock()} as the application's {@link java.time.Clock}. */
    @AliasFor(annotation = AutoConfigureDelayQueueTest.class)
    boolean clock() default false;

    /** Set to {@code false} to disable the {@link DelayQueueTestKit#reset()} after each test method. */
    @AliasFor(annotation = AutoConfigureDelayQueueTest.class)
    boolean reset() default true;

    /** Set to {@code false} to include all scanned components, instead of only those that a filter includes. */
    boolean useDefaultFilters() default true;

    /** Filters for scanned components to include. */
    Filter[] includeFilters() default {};

    /** Filters for scanned components to exclude. */
    Filter[] excludeFilters() default {};

    /** Auto-configurations to exclude. */
    @AliasFor(annotation = ImportAutoConfiguration.class, attribute = "exclude")
    Class<?>[] excludeAutoConfiguration() default {};
}
