// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.control;

import java.util.EnumSet;
import java.util.Set;

/**
 * Strategy that decides the permissions of a caller for a queue. Declare a bean of this type to replace {@link
 * #READ_AND_OPERATE}. It must be thread-safe. It is invoked for each call, and its result is not cached; if it throws,
 * the call fails.
 */
@FunctionalInterface
public interface QueueAccessResolver {

    /** Every caller may read and operate, but not see payloads. */
    QueueAccessResolver READ_AND_OPERATE = (caller, queue) -> EnumSet.of(QueuePermission.READ, QueuePermission.OPERATE);

    /**
     * Returns the permissions of a caller.
     *
     * @param queue name of a queue, which may be configured only in other processes
     * @return the permissions; an empty set hides the queue
     */
    Set<QueuePermission> permissions(Caller caller, String queue);
}
