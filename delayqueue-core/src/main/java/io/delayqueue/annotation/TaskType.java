// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.annotation;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Names the type of a payload, for queues with several types. A task with a payload of the annotated class has the name
 * in the header {@link TaskHeaders#TYPE}. It is delivered to the {@link DelayQueueHandler} method whose payload class
 * has the same name. That class can be a different one, and the class can be renamed while tasks are waiting. Without
 * the annotation, a task has no such header.
 */
@Documented
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
public @interface TaskType {

    /** The name, such as {@code order.placed}: 1 to 128 printable ASCII characters without spaces. */
    String value();
}
