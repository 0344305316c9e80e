// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.soak;

import io.delayqueue.faults.cell.Scene;
import io.delayqueue.faults.history.HistoryWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Takes a sample every ten seconds on a separate thread, until it is closed. Occasionally includes a full collection of
 * the applications, but not during a fault.
 */
final class Sampler implements AutoCloseable {

    private static final Duration EVERY = Duration.ofSeconds(10);
    private static final Duration PROGRESS = Duration.ofMinutes(1);

    private final SoakRecord record;
    private final ServerGauge servers;
    private final Duration length;
    private final Duration heapEvery;
    private final long begin = System.nanoTime();
    private final ScheduledExecutorService thread =
            Executors.newSingleThreadScheduledExecutor(task -> new Thread(task, "sampler"));

    private volatile List<Long> pids = List.of();
    private volatile @Nullable String fault;
    private String latest = "no fault yet";
    private long heapNext;
    private long progressNext = PROGRESS.toNanos();

    /**
     * Creates a sampler that is not started.
     *
     * @param length length of the run
     * @param heapEvery how often applications are made to collect their garbage
     */
    Sampler(SoakRecord record, Scene scene, Duration length, Duration heapEvery) {
        this.record = record;
        this.servers = new ServerGauge(scene);
        this.length = length;
        this.heapEvery = heapEvery;
        watch(scene);
    }

    void start() {
        thread.scheduleAtFixedRate(this::sample, 0, EVERY.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** Measures the present processes of the applications from now on. */
    void watch(Scene scene) {
        List<Long> all = new ArrayList<>();
        for (int place = 0; place < scene.applications().count(); place++) {
            all.add(scene.applications().pid(place));
        }
        pids = List.copyOf(all);
    }

    /** Records which fault is in progress, if any. */
    void during(@Nullable String name) {
        fault = name;
    }

    private void sample() {
        try {
            String going = fault;
            latest = going != null ? going : latest;
            long elapsed = System.nanoTime() - begin;
            boolean collects = going == null && elapsed >= heapNext;
            if (collects) {
                heapNext = elapsed + heapEvery.toNanos() - EVERY.toNanos() / 2;
            }
            List<Sample.OfProcess> processes = new ArrayList<>();
            for (int place = 0; place < pids.size(); place++) {
                ProcessGauge gauge = new ProcessGauge(pids.get(place));
                Sample.OfProcess process = gauge.sample(place, collects ? liveHeap(gauge, place, elapsed) : null);
                if (process != null) {
                    processes.add(process);
                }
            }
            Sample sample = new Sample(HistoryWriter.micros(), processes, servers.redis(), servers.messages());
            record.write(sample);
            if (elapsed >= progressNext) {
                progressNext += PROGRESS.toNanos();
                System.err.println("soak: minute " + TimeUnit.NANOSECONDS.toMinutes(elapsed) + " of "
                        + length.toMinutes() + ", " + latest + "; " + sample);
            }
        } catch (InterruptedException ex) {
            Thread.currentThread().interrupt();
        } catch (IOException | RuntimeException ex) {
            System.err.println("soak: no sample: " + ex);
        }
    }

    private @Nullable Long liveHeap(ProcessGauge gauge, int place, long elapsed)
            throws IOException, InterruptedException {
        Path histogram = record.file("histogram-" + place + "-latest.txt");
        Long heap = gauge.liveHeap(histogram);
        Path early = record.file("histogram-" + place + "-warm.txt");
        if (heap != null && elapsed > length.toNanos() / 4 && !Files.exists(early)) {
            Files.copy(histogram, early);
        }
        return heap;
    }

    @Override
    public void close() {
        thread.shutdownNow();
        try {
            if (!thread.awaitTermination(20, TimeUnit.SECONDS)) {
                System.err.println("soak: a sample does not end");
            }
        } catch (InterruptedException ex) {
            Thread.currentThread().interrupt();
        }
    }
}
