// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.rabbit.isolation;

import io.delayqueue.internal.rabbit.confirm.Outgoing;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The tasks over whose messages the broker closed a whole connection when they were sent last. They go to {@link Trials}
 * at once, so that what else is under way does not lose its connection at each of their attempts.
 *
 * <p>The last {@value #MOST} are known, to this publisher alone. Safe for use by many threads.
 */
public final class FatalMessages {

    static final int MOST = 256;

    private final Set<String> taskKeys = new LinkedHashSet<>();
    private volatile boolean any;

    /** Whether there is one; costs a volatile read. */
    public boolean isAny() {
        return any;
    }

    /** Removes them from a batch and returns them. */
    public synchronized List<Outgoing> takeApart(List<Outgoing> batch) {
        List<Outgoing> apart = new ArrayList<>();
        batch.removeIf(outgoing -> taskKeys.contains(outgoing.delivery().taskKey()) && apart.add(outgoing));
        return apart;
    }

    synchronized void remember(Outgoing message) {
        String taskKey = message.delivery().taskKey();
        taskKeys.remove(taskKey); // the one that was seen last is forgotten last
        taskKeys.add(taskKey);
        if (taskKeys.size() > MOST) {
            taskKeys.remove(taskKeys.iterator().next());
        }
        any = true;
    }

    /** The broker said something about it, or it is not sent any more. */
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
