// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.benchmarks.workload;

import io.delayqueue.DelayQueueOperations;
import io.delayqueue.ScheduleRequest;
import io.delayqueue.benchmarks.server.Place;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * W11: the time that a starter adds to the start of an otherwise empty application, and the lateness of the first task
 * that a fresh process handles. Each start is a separate JVM; an empty application and one with the starter take turns.
 * Another process stores the task, so that the fresh process has not used its queue before.
 */
final class StartWorkload implements Workload {

    /** The approximate time from the start of an application until its first task is due. */
    private static final long MILLIS_UNTIL_DUE = 1000;

    private final List<Long> started = new ArrayList<>();
    private final List<Long> added = new ArrayList<>();
    private final List<Long> overParts = new ArrayList<>();
    private final List<Double> toParts = new ArrayList<>();
    private final List<Long> cpuAdded = new ArrayList<>();
    private final List<Long> late = new ArrayList<>();

    @Override
    public void run(Setting setting, Recorder recorder) throws InterruptedException {
        Starter starter = Starter.of(setting.subject());
        try (FirstTasks tasks = (starter == Starter.DELAYQUEUE) ? new FirstTasks(setting.place()) : null) {
            // The first start of each application loads its files into the cache of the system.
            StartProcess.start(Starter.NONE, setting.place());
            long longest = start(starter, setting.place(), tasks, 5000).millis();
            recorder.begin();
            for (int i = 0; i < setting.size(10, 5); i++) {
                StartProcess empty = StartProcess.start(Starter.NONE, setting.place());
                StartProcess own = start(starter, setting.place(), tasks, longest + MILLIS_UNTIL_DUE);
                if (tasks != null) {
                    long parts =
                            StartProcess.start(Starter.PARTS, setting.place()).millis();
                    overParts.add(own.millis() - parts);
                    toParts.add((double) own.millis() / parts);
                }
                longest = Math.max(longest, own.millis());
                started.add(own.millis());
                added.add(own.millis() - empty.millis());
                cpuAdded.add(own.cpuMillis() - empty.cpuMillis());
                late.add(own.lateMillis());
            }
            recorder.end();
            recorder.metric("start", median(started));
            recorder.metric("added", median(added));
            recorder.metric("processor time added", median(cpuAdded));
            if (tasks != null) {
                recorder.metric("added to its parts", median(overParts));
                recorder.metric("start, to that of its parts", median(toParts));
                recorder.metric("first task late", median(late));
                recorder.metric("first task late, worst", Collections.max(late));
            }
        }
    }

    private static StartProcess start(Starter starter, Place place, @Nullable FirstTasks tasks, long millisUntilDue)
            throws InterruptedException {
        if (tasks != null) {
            tasks.schedule(Duration.ofMillis(millisUntilDue));
        }
        return StartProcess.start(starter, place);
    }

    private static double median(List<? extends Number> values) {
        List<Double> sorted = values.stream().map(Number::doubleValue).sorted().toList();
        int middle = sorted.size() / 2;
        return (sorted.size() % 2 == 1) ? sorted.get(middle) : (sorted.get(middle - 1) + sorted.get(middle)) / 2.0;
    }

    /** Stores the tasks for the processes. */
    private static final class FirstTasks implements AutoCloseable {

        private final ConfigurableApplicationContext context;
        private final DelayQueueOperations operations;

        FirstTasks(Place place) {
            // The class path of this JVM also contains everything that other workloads need.
            this.context = new SpringApplicationBuilder(StartedApplications.Scheduling.class)
                    .properties(
                            "spring.autoconfigure.exclude="
                                    + "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration",
                            "namastack.outbox.enabled=false")
                    .run(StartProcess.arguments(place).toArray(String[]::new));
            this.operations = context.getBean(DelayQueueOperations.class);
        }

        void schedule(Duration delay) {
            operations.schedule(ScheduleRequest.to(StartedApplications.QUEUE)
                    .payload(new StartedApplications.Timeout("7", 1))
                    .dueIn(delay)
                    .build());
        }

        @Override
        public void close() {
            context.close();
        }
    }
}
