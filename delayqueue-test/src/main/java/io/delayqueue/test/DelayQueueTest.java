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
 * A test of what schedules and handles delayed tasks, and of nothing else: the context has the queues of the application's
 * properties, the template, the admin, a {@link DelayQueueTestKit}, and of the application's components those that are named
 * here. It runs on an embedded Redis, and time stands still until the test moves it; see {@link AutoConfigureDelayQueueTest}
 * for both.
 *
 * <p>Tasks of queues with an exchange stay where they are, as there is no RabbitMQ in the context. Use {@code @SpringBootTest}
 * with {@link AutoConfigureDelayQueueTest} for these.
 *
 * <p>As with all slices of Spring Boot, a {@code @SpringBootConfiguration} is looked for in the test's package and those above
 * it, and {@code @Import} brings in what else is needed.
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
     * Classes of beans to be there, such as those with {@code @DelayQueueListener} methods and those that schedule. They need not
     * be found by a component scan.
     */
    Class<?>[] value() default {};

    /** Names of queues to be there, with the defaults where the application's properties do not configure them. */
    @AliasFor(annotation = AutoConfigureDelayQueueTest.class)
    String[] queues() default {};

    /** Properties for the environment, as {@code key=value}. */
    String[] properties() default {};

    /** Whether the application's {@link java.time.Clock} is {@link DelayQueueTestKit#clock()}. */
    @AliasFor(annotation = AutoConfigureDelayQueueTest.class)
    boolean clock() default false;

    /** Whether {@link DelayQueueTestKit#reset()} is called after each test method. */
    @AliasFor(annotation = AutoConfigureDelayQueueTest.class)
    boolean reset() default true;

    /** Whether components that a scan finds are left out unless a filter includes them. */
    boolean useDefaultFilters() default true;

    /** Which components that a scan finds are to be there. */
    Filter[] includeFilters() default {};

    /** Which components that a scan finds are not to be there. */
    Filter[] excludeFilters() default {};

    /** Auto-configurations to be left out. */
    @AliasFor(annotation = ImportAutoConfiguration.class, attribute = "exclude")
    Class<?>[] excludeAutoConfiguration() default {};
}
