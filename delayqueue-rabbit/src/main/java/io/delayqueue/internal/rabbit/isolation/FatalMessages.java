// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.rabbit.isolation;

import io.delayqueue.internal.rabbit.confirm.Outgoing;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The tasks whose latest message made the broker close the connection. {@link Trials} publishes them separately, so
 * that they do not break the connection for other messages.
 *
 * <p>Remembers the last {@value #MOST} tasks of this publisher. Thread-safe.
 */
public final class FatalMessages {

    static final int MOST = 256;

    private final Set<String> taskKeys = new LinkedHashSet<>();
    private volatile boolean any;

    /** Returns whether there are any such tasks. Costs one volatile read. */
    public boolean isAny() {
        return any;
    }

    /** Removes the messages of such tasks from a batch, and returns them. */
    public synchronized List<Outgoing> takeApart(List<Outgoing> batch) {
        List<Outgoing> apart = new ArrayList<>();
        batch.removeIf(outgoing -> taskKeys.contains(outgoing.delivery().taskKey()) && apart.add(outgoing));
        return apart;
    }

    synchronized void remember(Outgoing message) {
        String taskKey = message.delivery().taskKey();
        taskKeys.remove(taskKey); // The latest task is evicted last.
        taskKeys.add(taskKey);
        if (taskKeys.size() > MOST) {
            taskKeys.remove(taskKeys.iterator().next());
        }
        any = true;
    }

    /** Removes a message that the broker has answered or that will not be sent. */
    void forget(Outgoing message) {
        if (any) {
            remove(message.delivery().taskKey());
        }
    }

    private synchronized void remove(String taskKey) {
        taskKeys.remove(taskKey);
        any = !taskKeys.isEmpty();
    }
}
