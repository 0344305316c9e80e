// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.cell;

import io.delayqueue.faults.ApplicationProcess;
import io.delayqueue.faults.check.CheckSettings;
import io.delayqueue.faults.history.HistoryWriter;
import io.delayqueue.faults.load.LoadApplication;
import io.delayqueue.faults.load.RedisClock;
import io.delayqueue.faults.mutant.Mutant;
import io.delayqueue.internal.queue.Rate;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.convert.DurationStyle;

/**
 * Runs cells: starts servers and two applications with load, injects the fault, waits for the remaining tasks, and
 * judges the run.
 */
public record CellRunner(RunOptions options) {

    private static final int APPLICATIONS = 2;
    private static final int MAX_ATTEMPTS = 8;
    private static final int MAX_LEASE_EXPIRIES = 10;
    private static final Duration DRAIN_LIMIT = Duration.ofSeconds(60);

    /**
     * Runs one cell. Blocks until the end and leaves no process running.
     *
     * @throws Exception if the fault could not be injected, or servers or applications did not start
     */
    public CellResult run(Cell cell) throws Exception {
        RunFolder folder = new RunFolder(options.folder().resolve(cell.name()));
        folder.empty();
        return run(cell, folder);
    }

    /**
     * Runs one cell with applications whose library has a deliberate fault.
     *
     * @throws Exception as for {@link #run(Cell)}, or if the mutant could not be made
     */
    CellResult run(Cell cell, Mutant mutant) throws Exception {
        return run(cell, folderOf(mutant));
    }

    /** Returns the folder of a mutant, which contains only the changed files of its library. */
    RunFolder folderOf(Mutant mutant) throws IOException {
        RunFolder folder = new RunFolder(options.folder().resolve("mutant-" + mutant.label()));
        folder.empty();
        mutant.writeTo(folder.changed());
        return folder;
    }

    private CellResult run(Cell cell, RunFolder folder) throws Exception {
        try (Servers servers = cell.startServers();
                RedisClock clock = new RedisClock(servers.clock());
                HistoryWriter history = HistoryWriter.open(folder.path(), "observer");
                Observer observer = new Observer(servers, cell.sharding(), clock, history)) {
            CellTiming timing = CellTiming.of(options.length(), cell.atLeast());
            FaultLog log = new FaultLog(cell.name(), history);
            try (Applications applications = new Applications(
                    (place, name) -> launch(cell, servers, timing, folder, name), log, folder::atWork)) {
                applications.start(APPLICATIONS);
                Chance chance = new Chance(options.seed(), cell.name());
                Scene scene = new Scene(servers, applications, observer.admin(), timing.fault(), log, chance);
                scene.pause(chance.warmUp(timing.warmUp()));
                cell.fault().happen(scene);
                scene.pause(timing.after());
                Files.createFile(folder.end());
                awaitDrain(servers, observer, timing);
                applications.terminateAll();
                servers.complete(folder.path());
                folder.keep(
                        observer.finalState().and(servers.leftOver()),
                        settings(cell, servers, log),
                        servers.versions());
            }
            return folder.result(cell);
        }
    }

    /**
     * Judges the stored files of a run again.
     *
     * @throws IOException if there are no files
     */
    public CellResult judgeAgain(Cell cell) throws IOException {
        return new RunFolder(options.folder().resolve(cell.name())).result(cell);
    }

    /** Returns the value of a property of the applications; the last definition wins. */
    private static @Nullable String property(Cell cell, Servers servers, String name) {
        return Stream.concat(servers.forApplications().stream(), cell.settings().stream())
                .filter(property -> property.startsWith(name + "="))
                .map(property -> property.substring(name.length() + 1))
                .reduce((first, last) -> last)
                .orElse(null);
    }

    private CheckSettings settings(Cell cell, Servers servers, FaultLog log) {
        CheckSettings settings = CheckSettings.of(
                        cell.name(), MAX_ATTEMPTS, CellTiming.LEASE, Set.of(LoadApplication.FORWARDED))
                .withMaxExpiries(MAX_LEASE_EXPIRIES);
        if (cell.fault() != Fault.NONE) {
            settings = settings.withFaults();
        }
        if (cell.brokerStays()) {
            settings = settings.whereTheBrokerStays(QuorumMinorityServers.QUORUM_PERCENT);
        }
        if (cell.callsWithin() != null) {
            settings = settings.withCallsWithin(cell.callsWithin());
        }
        String expiresAfter = property(cell, servers, "delayqueue.defaults.expires-after");
        String window = property(cell, servers, "delayqueue.defaults.window");
        settings =
                settings.withTiming(expiresAfter == null ? null : DurationStyle.detectAndParse(expiresAfter), window);
        String keyRate = property(cell, servers, "delayqueue.queues.handled.limits.per-key.rate");
        String keyConcurrency = property(cell, servers, "delayqueue.queues.handled.limits.per-key.concurrency");
        settings = settings.withKeyLimits(
                keyRate == null ? null : Rate.parse(keyRate),
                keyConcurrency == null ? 0 : Integer.parseInt(keyConcurrency));
        // A task that waits for its delivery hours is late, as intended.
        if (options.judgesLateness() && window == null) {
            // Two idle intervals and one lease are allowed.
            Duration idle = CellTiming.BACK_STOP.plus(servers.longestWait().dividedBy(2));
            settings = settings.withRecovery(idle).withOnTime(log.onTime());
        }
        if (!log.clockSets().isEmpty()) {
            settings = settings.withClockSetWithin(log.clockSets());
        }
        if (log.lossWindows().isEmpty()) {
            return settings;
        }
        settings = settings.withLossWithin(log.lossWindows());
        return (cell.loss() != null) ? settings : settings.withAnswersThatLast();
    }

    private ApplicationProcess launch(Cell cell, Servers servers, CellTiming timing, RunFolder folder, String name) {
        List<String> arguments = new ArrayList<>();
        servers.forApplications().forEach(property -> arguments.add("--" + property));
        cell.settings().forEach(property -> arguments.add("--" + property));
        arguments.add("--faults.history=" + folder.path().toAbsolutePath());
        arguments.add("--faults.process=" + name);
        arguments.add("--faults.clock=" + servers.clock());
        arguments.add("--faults.end=" + folder.end().toAbsolutePath());
        arguments.add("--faults.seed=" + options.seed().value());
        arguments.add("--faults.longest-delay=" + timing.longestDelay().toMillis() + "ms");
        return ApplicationProcess.start(
                LoadApplication.class,
                folder.classPathBefore() + System.getProperty("java.class.path"),
                folder.log(name),
                arguments);
    }

    /** Waits until all tasks are delivered, or until it is certain that the rest will not be. */
    private static void awaitDrain(Servers servers, Observer observer, CellTiming timing) throws InterruptedException {
        long end = System.nanoTime() + timing.longestDelay().plus(DRAIN_LIMIT).toNanos();
        long arrived = -1;
        boolean drained = false;
        while (System.nanoTime() - end < 0) {
            TimeUnit.MILLISECONDS.sleep(1000);
            boolean wasDrained = drained;
            drained = servers.isDrained() && observer.isDrained();
            long before = arrived;
            arrived = observer.arrived();
            if (drained && wasDrained && arrived == before) {
                return;
            }
        }
    }
}
