// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.check;

import io.delayqueue.faults.history.Entry;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * {@link Rule#HELD_UP}: no call takes longer than allowed. A call without an answer may have been in progress when its
 * process ended, so the last entry of the process counts as its end.
 */
final class AnsweredInTime implements TaskRule {

    private final long limitMicros;
    private final Map<String, Long> lastMicros = new HashMap<>();

    /** @param histories the histories of all processes */
    AnsweredInTime(CheckSettings settings, List<Entry> histories) {
        this.limitMicros = TimeUnit.NANOSECONDS.toMicros(settings.callsWithin().toNanos());
        histories.forEach(entry -> lastMicros.merge(entry.process(), entry.micros(), Math::max));
    }

    @Override
    public List<Finding> judge(TaskHistory task) {
        List<Finding> findings = new ArrayList<>();
        for (Op op : task.ops) {
            Entry ended = op.ended();
            long end = (ended != null)
                    ? ended.micros()
                    : lastMicros.getOrDefault(op.begun().process(), op.begin());
            if (end - op.begin() > limitMicros) {
                findings.add(task.finding(
                        Rule.HELD_UP,
                        (ended != null ? "a call took " : "a call is unanswered after ") + (end - op.begin()) / 1000
                                + " ms",
                        List.of(op),
                        List.of()));
            }
        }
        return findings;
    }
}
