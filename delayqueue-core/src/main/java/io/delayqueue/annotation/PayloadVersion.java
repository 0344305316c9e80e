// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.annotation;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Sets the version of a payload class. A task that is scheduled with such a payload carries the version in the header
 * {@link TaskHeaders#VERSION}. When a change of the class makes stored payloads unreadable, increase the version and
 * declare a {@link io.delayqueue.codec.PayloadUpgrade} that converts the previous version into this one. A class
 * without the annotation has version 1.
 *
 * <p>If a process acquires a task with a newer version, it releases the task for a process that knows the version. The
 * annotation must be on the class that the handler declares, or on an interface or superclass of that class. A handler
 * of a common type does not see the versions of subtypes.
 */
@Documented
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
public @interface PayloadVersion {

    /** The version, from 1. */
    int value();
}
