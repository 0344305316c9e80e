// SPDX-License-Identifier: Apache-2.0
package io.delayqueue;

import java.util.List;

/**
 * Thrown if tasks were scheduled together and none was stored, because the conflict policy keeps existing tasks with
 * some of their ids.
 */
public class BatchRefusedException extends DelayQueueException {

    private static final long serialVersionUID = 1L;

    private final List<String> keptIds;

    /** @param keptIds the existing ids, at least one */
    public BatchRefusedException(String queue, List<String> keptIds) {
        super("Queue '" + queue + "': no task of the batch was stored, because " + keptIds.size()
                + " of its ids already exist and are kept, the first of them '" + keptIds.get(0)
                + "'. Find these tasks and cancel or discard them, or leave them out");
        this.keptIds = List.copyOf(keptIds);
    }

    /** Returns the existing ids, in the order of the requests. */
    public List<String> keptIds() {
        return keptIds;
    }
}
