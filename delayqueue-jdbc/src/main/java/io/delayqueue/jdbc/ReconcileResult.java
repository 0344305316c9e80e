// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.jdbc;

import java.util.List;
import java.util.Map;

/**
 * What a run has found.
 *
 * @param queue the queue
 * @param looked how many tasks were looked at, those of the application and those of the queue
 * @param underWay how many of them cannot be judged now: under delivery, or handed over a short time ago
 * @param found how many differences there were of each kind
 * @param mended how many of them were mended
 * @param examples the first hundred of them
 * @param finished whether the run has come to its end
 */
public record ReconcileResult(
        String queue,
        long looked,
        long underWay,
        Map<ReconcileDifference.Kind, Long> found,
        Map<ReconcileDifference.Kind, Long> mended,
        List<ReconcileDifference> examples,
        boolean finished) {

    /** Returns whether the run has come to its end and found no difference. */
    public boolean isClean() {
        return finished && found.values().stream().allMatch(count -> count == 0);
    }
}
