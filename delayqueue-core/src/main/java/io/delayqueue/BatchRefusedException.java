// SPDX-License-Identifier: Apache-2.0
package io.delayqueue;

import java.util.List;

/**
 * Of tasks that were to be scheduled together none was stored, because the queue has tasks of some of their ids, and
 * the conflict policy keeps those.
 */
public class BatchRefusedException extends DelayQueueException {

    private static final long serialVersionUID = 1L;

    private final List<String> keptIds;

    /** @param keptIds the ids that the queue has, at least one */
    public BatchRefusedException(String queue, List<String> keptIds) {
        super("Queue '" + queue + "': of a batch none was stored, since " + keptIds.size()
                + " of its ids are there and are kept, the first of them '" + keptIds.get(0)
                + "'. Look at them with find, cancel or discard them, or leave them out");
        this.keptIds = List.copyOf(keptIds);
    }

    /** The ids that the queue has, in the order of the requests. */
    public List<String> keptIds() {
        return keptIds;
    }
}
