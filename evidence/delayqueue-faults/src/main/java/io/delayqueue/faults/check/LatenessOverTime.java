// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.check;

import io.delayqueue.faults.check.CheckSettings.Window;
import io.delayqueue.faults.history.Entry;
import io.delayqueue.faults.history.Event;
import java.util.ArrayList;
import java.util.List;

/**
 * How late first attempts were, by the slice of time in which their tasks were due. In the time of {@link
 * Entry#micros()}. For use by one thread.
 */
public final class LatenessOverTime {

    private final long from;
    private final long sliceMicros;
    private final List<Window> disturbed;
    private final List<List<Long>> all = new ArrayList<>();
    private final List<List<Long>> calm = new ArrayList<>();

    /**
     * Of no attempt yet.
     *
     * @param time of which tasks due in it count
     * @param sliceMicros how long a slice is; the last one is at least half as long
     * @param disturbed when something was wrong, until it was forgotten
     */
    public LatenessOverTime(Window time, long sliceMicros, List<Window> disturbed) {
        this.from = time.from();
        this.sliceMicros = sliceMicros;
        this.disturbed = List.copyOf(disturbed);
        long slices = Math.max(1, (time.to() - time.from() + sliceMicros / 2) / sliceMicros);
        for (long i = 0; i < slices; i++) {
            all.add(new ArrayList<>());
            calm.add(new ArrayList<>());
        }
    }

    /** Counts the beginning of a first attempt; anything else is passed over. */
    public void add(Entry entry) {
        Long late = isFirstAttempt(entry.event()) ? DeliveredAsAsked.latenessMicros(entry) : null;
        if (late == null) {
            return;
        }
        long lateness = Math.max(0, late);
        long due = entry.micros() - lateness;
        long slice = Math.floorDiv(due - from, sliceMicros);
        if (slice < 0 || slice >= all.size()) {
            return;
        }
        all.get((int) slice).add(lateness);
        if (disturbed.stream().noneMatch(window -> window.touches(due, due))) {
            calm.get((int) slice).add(lateness);
        }
    }

    private static boolean isFirstAttempt(Event event) {
        return event instanceof Event.Started started && started.attempt() == 1
                || event instanceof Event.Arrived arrived && arrived.attempt() == 1;
    }

    /** In their order. */
    public List<Slice> slices() {
        List<Slice> slices = new ArrayList<>();
        for (int i = 0; i < all.size(); i++) {
            slices.add(new Slice(Lateness.of(all.get(i)), Lateness.of(calm.get(i))));
        }
        return slices;
    }

    /**
     * A slice of time.
     *
     * @param all of all attempts
     * @param calm of those whose tasks were due while nothing was wrong
     */
    public record Slice(Lateness all, Lateness calm) {}
}
