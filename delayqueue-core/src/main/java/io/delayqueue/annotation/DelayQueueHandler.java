// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.annotation;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Makes a method the one that handles a type of payload, in a class that has {@link DelayQueueListener} itself. The class
 * of the payload has a {@link TaskType}, by which a due task finds its method. Parameters and what the method returns are
 * those of any listener method.
 */
@Documented
@Target({ElementType.METHOD, ElementType.ANNOTATION_TYPE})
@Retention(RetentionPolicy.RUNTIME)
public @interface DelayQueueHandler {

    /**
     * Whether the method handles every task for which there is no other method. Without such a method they are dead at once.
     */
    boolean isDefault() default false;
}
