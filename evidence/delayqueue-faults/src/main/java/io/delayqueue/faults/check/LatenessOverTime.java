// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.check;

import io.delayqueue.faults.check.CheckSettings.Window;
import io.delayqueue.faults.history.Entry;
import io.delayqueue.faults.history.Event;
import java.util.ArrayList;
import java.util.List;

/**
 * The lateness of first attempts, by the time slice in which their tasks were due, in the time of {@link
 * Entry#micros()}. Not thread-safe.
 */
public final class LatenessOverTime {

    private final long from;
    private final long sliceMicros;
    private final List<Window> disturbed;
    private final List<List<Long>> all = new ArrayList<>();
    private final List<List<Long>> calm = new ArrayList<>();

    /**
     * Starts without attempts.
     *
     * @param time the period whose due tasks count
     * @param sliceMicros how long a slice is; the last one is at least half as long
     * @param disturbed times when faults affected deliveries
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

    /** Counts the beginning of a first attempt. Ignores other entries. */
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

    /** Returns the slices in order. */
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
     * @param all lateness of all attempts
     * @param calm lateness of attempts whose tasks were due without an effect of a fault
     */
    public record Slice(Lateness all, Lateness calm) {}
}
