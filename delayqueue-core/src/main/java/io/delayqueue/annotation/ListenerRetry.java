// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.annotation;

import java.lang.annotation.Documented;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Retry settings of a {@link DelayQueueListener}. Each attribute overrides the queue's property of the same name under
 * {@code retry}, may be empty, and may contain {@code ${...}} placeholders.
 */
@Documented
@Target({})
@Retention(RetentionPolicy.RUNTIME)
public @interface ListenerRetry {

    /** Number of retries after the first attempt; 0 for none. When the last retry fails, the task becomes dead. */
    String maxRetries() default "";

    /** Delay before the first retry, such as {@code 1s}. */
    String delay() default "";

    /** Factor that multiplies the delay with each retry, 1 to 1000. */
    String multiplier() default "";

    /** Maximum delay, such as {@code 5m}. */
    String maxDelay() default "";

    /** Maximum random reduction of the delay, as a share, 0 to 1. */
    String jitter() default "";

    /**
     * Exceptions, including subclasses and causes, that make a task dead without a retry, in addition to those of the
     * property.
     */
    Class<? extends Throwable>[] excludes() default {};
}
