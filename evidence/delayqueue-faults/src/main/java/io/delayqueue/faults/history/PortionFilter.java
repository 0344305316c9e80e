// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.history;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Passes on the entries of a portion. An answer belongs to the portion of its call, which the same process wrote
 * earlier.
 */
final class PortionFilter implements Consumer<Entry> {

    private final Portion portion;
    private final Consumer<Entry> taker;
    private final Set<List<Object>> calls = new HashSet<>();
    private final Set<List<Object>> settlings = new HashSet<>();

    PortionFilter(Portion portion, Consumer<Entry> taker) {
        this.portion = portion;
        this.taker = taker;
    }

    @Override
    public void accept(Entry entry) {
        if (isWanted(entry.process(), entry.event())) {
            taker.accept(entry);
        }
    }

    private boolean isWanted(String process, Event event) {
        if (portion.count() == 1) {
            return true;
        }
        if (event instanceof Event.Answered answered) {
            // An intake's call has a second answer, which says when it took effect.
            return calls.contains(List.<Object>of(process, answered.call()));
        }
        if (event instanceof Event.Settled settled) {
            return settlings.remove(List.<Object>of(process, settled.settling()));
        }
        String id = event.id();
        if (id != null && !portion.has(id)) {
            return false;
        }
        if (event instanceof Event.Invoked invoked) {
            calls.add(List.of(process, invoked.call()));
        } else if (event instanceof Event.Settling settling) {
            settlings.add(List.of(process, settling.settling()));
        }
        return true;
    }
}
