// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.cell;

import io.delayqueue.faults.check.CheckSettings.OnTime;
import io.delayqueue.faults.check.CheckSettings.Window;
import io.delayqueue.faults.history.Event;
import io.delayqueue.faults.history.Event.Change;
import io.delayqueue.faults.history.HistoryWriter;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Records the faults of a cell. Thread-safe, because two faults may be concurrent. */
final class FaultLog {

    private static final Logger log = LoggerFactory.getLogger(FaultLog.class);

    /** Time within which every process has queried the time of Redis. */
    private static final Duration CLOCK_ASKED = Duration.ofSeconds(2);

    private final String cell;
    private final HistoryWriter history;
    private final List<Window> lossWindows = new CopyOnWriteArrayList<>();
    private final List<Window> clockSets = new CopyOnWriteArrayList<>();
    private final List<OnTime> onTime = new CopyOnWriteArrayList<>();

    FaultLog(String cell, HistoryWriter history) {
        this.cell = cell;
        this.history = history;
    }

    void onTime(Set<String> shards, long from, Duration p99) {
        onTime.add(new OnTime(shards, new Window(from, HistoryWriter.micros()), p99));
    }

    void begins(String name) {
        log.debug("{}: {}", cell, name);
        history.write(new Event.Fault(cell, name, true));
    }

    void ends(String name) {
        history.write(new Event.Fault(cell, name, false));
    }

    void changed(String process, Change change) {
        log.debug("{}: {} {}", cell, process, change);
        history.write(new Event.Changed(process, change));
    }

    void losing(Duration before, Scene.Action fault) throws Exception {
        long from = HistoryWriter.micros() - before.toNanos() / 1000;
        try {
            fault.perform();
        } finally {
            lossWindows.add(new Window(from, HistoryWriter.micros()));
        }
    }

    void settingClock(Scene.Action change) throws Exception {
        long from = HistoryWriter.micros();
        try {
            change.perform();
        } finally {
            clockSets.add(new Window(from, HistoryWriter.micros() + CLOCK_ASKED.toNanos() / 1000));
        }
    }

    /** Returns the times when attempts had to be on time. */
    List<OnTime> onTime() {
        return List.copyOf(onTime);
    }

    /** Returns the times when the clock of Redis was unknown. */
    List<Window> clockSets() {
        return List.copyOf(clockSets);
    }

    /** Returns the times when a failover may have undone confirmed changes. */
    List<Window> lossWindows() {
        return List.copyOf(lossWindows);
    }
}
