// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.outbox;

import java.util.ArrayList;
import java.util.List;

/** The point where an application dies, before or after the effect of a step. */
record FailurePoint(Step step, boolean after) {

    static List<FailurePoint> all() {
        List<FailurePoint> all = new ArrayList<>();
        for (Step step : Step.values()) {
            all.add(new FailurePoint(step, false));
            all.add(new FailurePoint(step, true));
        }
        return all;
    }

    @Override
    public String toString() {
        return (after ? "after " : "before ") + step;
    }
}
