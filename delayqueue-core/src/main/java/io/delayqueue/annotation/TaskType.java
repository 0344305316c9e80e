// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.annotation;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Names the type of a payload, where a queue has several. A task that is scheduled with a payload of the class carries the
 * name in the header {@link TaskHeaders#TYPE}, and comes to the {@link DelayQueueHandler} method that takes a class with
 * the same name. So the class may be another one there, and may be renamed while tasks wait. Without the annotation a task
 * has no such header.
 */
@Documented
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
public @interface TaskType {

    /** The name, such as {@code order.placed}: 1 to 128 printable ASCII characters without spaces. */
    String value();
}
