// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.benchmarks.workload;

/** The workloads by their names. */
public final class Workloads {

    private Workloads() {}

    public static Workload named(String name) {
        return switch (name) {
            case "W1" -> new ScheduleWorkload();
            case "W2a" -> new DrainWorkload(new int[] {50_000}, new int[] {30_000});
            case "W2b" -> new DrainWorkload(new int[] {50_000, 200_000, 1_000_000}, new int[] {30_000, 100_000});
            case "W2c" -> new ForwardWorkload();
            case "W3" -> new LatenessWorkload(1, 500, 30, 12);
            case "W4" -> new IdleWorkload();
            case "W5" -> new MemoryWorkload();
            case "W6" -> new CancelWorkload();
            case "W7" -> new GrowthWorkload();
            case "W8" -> new ProcessesWorkload();
            case "W9" -> new LatenessWorkload(2_000, 100, 60, 20);
            case "W10" -> new NeighbourWorkload();
            case "W11" -> new StartWorkload();
            case "W12" -> new TransactionWorkload();
            case "W13" -> new CommitLatencyWorkload();
            case "W14" -> new BacklogWorkload();
            case "W15" -> new IdleOutboxWorkload();
            case "W16", "W17" -> new ObservingWorkload();
            case "W18" -> new FairnessWorkload();
            case "W19" -> new IntakeWorkload();
            default -> throw new IllegalArgumentException("No workload is called " + name);
        };
    }
}
