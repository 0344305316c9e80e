// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.annotation;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks the handler method for one payload type, in a class annotated with {@link DelayQueueListener}. The
 * {@link TaskType} of the payload's class selects the method for a due task. Parameters and return values are those of
 * any listener method.
 */
@Documented
@Target({ElementType.METHOD, ElementType.ANNOTATION_TYPE})
@Retention(RetentionPolicy.RUNTIME)
public @interface DelayQueueHandler {

    /**
     * Set to {@code true} to handle every task that no other method handles. Without a default method, such tasks
     * become dead at once.
     */
    boolean isDefault() default false;
}
