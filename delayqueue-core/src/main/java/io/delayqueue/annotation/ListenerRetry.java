// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.annotation;

import java.lang.annotation.Documented;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * When the failed tasks of a {@link DelayQueueListener} are tried again. Each attribute overrides the property of the same
 * name under {@code retry} of the queue, may be left empty, and may hold {@code ${...}} placeholders.
 */
@Documented
@Target({})
@Retention(RetentionPolicy.RUNTIME)
public @interface ListenerRetry {

    /** Number of retries after the first attempt, 0 for none. When the last one fails the task is dead. */
    String maxRetries() default "";

    /** Delay before the first retry, such as {@code 1s}. */
    String delay() default "";

    /** Factor by which the delay grows with each failure, 1 to 1000. */
    String multiplier() default "";

    /** Longest delay, such as {@code 5m}. */
    String maxDelay() default "";

    /** Share of the delay that is drawn at random, 0 to 1. */
    String jitter() default "";

    /** Exceptions, with their subclasses, after which a task is dead at once. They add to those of the property. */
    Class<? extends Throwable>[] excludes() default {};
}
