// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.control;

import io.delayqueue.UnknownQueueException;
import io.delayqueue.admin.DelayQueueAdmin;
import io.delayqueue.control.Caller;
import io.delayqueue.control.QueueAccessResolver;
import io.delayqueue.control.QueuePermission;
import io.delayqueue.internal.input.PrintableText;
import java.util.EnumSet;
import java.util.Set;

/**
 * Checks permissions with the resolver. If a caller may not read a queue, calls behave as if the queue did not exist.
 */
record Permissions(DelayQueueAdmin admin, QueueAccessResolver resolver) {

    /**
     * The application's own code, which needs no permission. Compare it by identity, because other callers may have the
     * same name.
     */
    static final Caller APPLICATION = Caller.unknown("application");

    /** Returns the caller's permissions; none for a queue that is not configured. */
    Set<QueuePermission> of(Caller caller, String queue) {
        return admin.queues().contains(queue) ? resolved(caller, queue) : Set.of();
    }

    @SuppressWarnings("ReferenceEquality")
    private Set<QueuePermission> resolved(Caller caller, String queue) {
        return caller == APPLICATION ? EnumSet.allOf(QueuePermission.class) : resolver.permissions(caller, queue);
    }

    /**
     * Returns whether a caller may read the recorded problems of a queue, which may be configured only in other
     * processes.
     */
    boolean mayReadNoted(Caller caller, String queue) {
        return resolved(caller, queue).contains(QueuePermission.READ);
    }

    boolean mayRead(Caller caller, String queue) {
        return of(caller, queue).contains(QueuePermission.READ);
    }

    void require(Caller caller, String queue, QueuePermission permission) {
        Set<QueuePermission> granted = of(caller, queue);
        if (granted.contains(permission)) {
            return;
        }
        if (!granted.contains(QueuePermission.READ)) {
            throw new UnknownQueueException("There is no queue '" + PrintableText.of(queue, 80) + "' that "
                    + PrintableText.of(caller.name(), 80) + " may read");
        }
        throw new AccessRefusedException("Queue '" + queue + "': " + PrintableText.of(caller.name(), 80)
                + " lacks the permission " + permission + " for this queue");
    }
}
