// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.control;

import java.util.EnumSet;
import java.util.Set;

/**
 * Says who may do what with which queue. Declare a bean of this type to replace {@link #READ_AND_OPERATE}. It is asked at each
 * call, by many threads; what it throws fails that call.
 */
@FunctionalInterface
public interface QueueAccessResolver {

    /** Whoever was let through to the endpoint may read and operate, and nobody sees payloads. */
    QueueAccessResolver READ_AND_OPERATE = (caller, queue) -> EnumSet.of(QueuePermission.READ, QueuePermission.OPERATE);

    /**
     * What somebody may do.
     *
     * @param queue a configured queue
     * @return empty for nothing: the queue is not even listed
     */
    Set<QueuePermission> permissions(Caller caller, String queue);
}
