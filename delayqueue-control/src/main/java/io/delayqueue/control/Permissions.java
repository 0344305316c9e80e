// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.control;

import io.delayqueue.UnknownQueueException;
import io.delayqueue.admin.DelayQueueAdmin;
import io.delayqueue.internal.input.PrintableText;
import java.util.Set;

/** Asks the resolver, and refuses what it does not allow. */
final class Permissions {

    private final DelayQueueAdmin admin;
    private final QueueAccessResolver resolver;

    Permissions(DelayQueueAdmin admin, QueueAccessResolver resolver) {
        this.admin = admin;
        this.resolver = resolver;
    }

    /** Of a configured queue. */
    Set<QueuePermission> of(Caller caller, String queue) {
        if (!admin.queues().contains(queue)) {
            throw new UnknownQueueException(
                    "There is no queue '" + PrintableText.of(queue, 80) + "'; it has to be configured");
        }
        return resolver.permissions(caller, queue);
    }

    void require(Caller caller, String queue, QueuePermission permission) {
        if (!of(caller, queue).contains(permission)) {
            throw new AccessRefusedException("Queue '" + queue + "': " + PrintableText.of(caller.name(), 80)
                    + " has no permission " + permission + " for it");
        }
    }
}
