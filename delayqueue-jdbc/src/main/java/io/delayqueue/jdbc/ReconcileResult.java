// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.jdbc;

import java.util.List;
import java.util.Map;

/**
 * The findings of a run.
 *
 * @param queue the queue
 * @param looked number of compared tasks, of the application and of the queue
 * @param underWay number of tasks that cannot be judged now: in progress, or handed over recently
 * @param found number of differences of each kind
 * @param mended number of repaired differences
 * @param examples the first hundred differences
 * @param finished whether the run completed
 */
public record ReconcileResult(
        String queue,
        long looked,
        long underWay,
        Map<ReconcileDifference.Kind, Long> found,
        Map<ReconcileDifference.Kind, Long> mended,
        List<ReconcileDifference> examples,
        boolean finished) {

    /** Returns whether the run completed and found no difference. */
    public boolean isClean() {
        return finished && found.values().stream().allMatch(count -> count == 0);
    }
}
