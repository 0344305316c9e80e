// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults;

import io.delayqueue.faults.HandlingHistory.Line;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Judges from what processes wrote down whether any task was in two hands under valid leases. */
final class FencedHandlings {

    private final Map<String, List<Handling>> byTask = new HashMap<>();

    FencedHandlings(List<Line> lines) {
        for (Line line : lines) {
            List<Handling> handlings = byTask.computeIfAbsent(line.id(), id -> new ArrayList<>());
            if (line.begun()) {
                handlings.add(new Handling(line, null));
            } else {
                handlings.replaceAll(
                        handling -> handling.isEndedBy(line) ? new Handling(handling.begun(), line) : handling);
            }
        }
    }

    /** How often a task was handled to a good end under a lease that was not lost. */
    long done(String id) {
        return byTask.getOrDefault(id, List.of()).stream()
                .filter(handling -> handling.ended() != null
                        && handling.ended().detail().equals("done")
                        && !handling.ended().lost())
                .count();
    }

    int begun(String id) {
        return byTask.getOrDefault(id, List.of()).size();
    }

    /**
     * Tasks of which a second handling began while the first went on under a lease that was not lost, or got a token
     * that is not higher. A handling without an end is one whose process was killed; of one that lives that is a
     * violation too.
     *
     * @param alive processes that were never killed
     */
    List<String> violations(Set<Long> alive) {
        List<String> violations = new ArrayList<>();
        byTask.forEach((id, handlings) -> {
            handlings.stream()
                    .filter(handling -> handling.ended() == null
                            && alive.contains(handling.begun().pid()))
                    .forEach(handling -> violations.add(id + ": never ended, though its process lives"));
            for (int i = 1; i < handlings.size(); i++) {
                Handling earlier = handlings.get(i - 1);
                Handling later = handlings.get(i);
                if (later.begun().token() <= earlier.begun().token()) {
                    violations.add(id + ": token " + later.begun().token() + " after "
                            + earlier.begun().token());
                }
                Line end = earlier.ended();
                if (end != null && !end.lost() && end.millis() > later.begun().millis()) {
                    violations.add(id + ": two handlings at " + later.begun().millis());
                }
            }
        });
        return violations;
    }

    /**
     * One handling.
     *
     * @param begun its beginning
     * @param ended its end; null if there was none
     */
    private record Handling(Line begun, Line ended) {

        boolean isEndedBy(Line line) {
            return ended == null && begun.pid() == line.pid() && begun.token() == line.token();
        }
    }
}
