// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.benchmarks.workload;

import io.delayqueue.benchmarks.subject.DelayqueueSubject;
import io.delayqueue.benchmarks.subject.Need;
import io.delayqueue.benchmarks.subject.Sink;
import io.delayqueue.benchmarks.subject.Task;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * W18: the lateness of tasks whose keys are within their limits, while another key has a large backlog. First with
 * 10,000 keys: one key has 1,000,000 due tasks, and the others have 500 tasks a second together. Measures before the
 * backlog is due, while it is being held back, and afterwards. Then with 200 clinics: one has 50,000 due tasks, and
 * each of the others has 20.
 */
final class FairnessWorkload implements Workload {

    private static final Map<String, Object> FIVE_A_SECOND = Map.of("delayqueue.queues.q0.limits.per-key.rate", "5/s");
    private static final int OTHER_KEYS = 9_999;
    private static final int PER_SECOND = 500;
    private static final int CLINICS = 199;
    private static final int PER_CLINIC = 20;
    private static final int OF_THE_LARGE_CLINIC = 50_000;

    @Override
    public void run(Setting setting, Recorder recorder) throws InterruptedException {
        besideALargeKey(setting, recorder);
        clinics(setting, recorder);
    }

    private static void besideALargeKey(Setting setting, Recorder recorder) throws InterruptedException {
        int backlog = setting.size(1_000_000, 100_000);
        Duration time = Duration.ofSeconds(setting.size(30, 10));
        SteadyTasks others = new SteadyTasks(0, PER_SECOND);
        Need need = Need.toHandle(1, others::arrived);
        try (DelayqueueSubject subject = DelayqueueSubject.keyed(
                setting.place(),
                need,
                FIVE_A_SECOND,
                number -> SteadyTasks.isSteady(number) ? "other-" + number % OTHER_KEYS : "large")) {
            others.start(subject);
            Thread.sleep(setting.size(20_000, 6_000));
            recorder.begin();
            SteadyTasks.Window without = window(time);
            long dueAt = System.currentTimeMillis() + setting.size(60_000, 10_000);
            new Load(subject).inBatches(backlog, dueAt);
            if (System.currentTimeMillis() > dueAt) {
                recorder.problem("scheduling took longer than until the tasks were due");
            }
            Thread.sleep(Math.max(0, dueAt - System.currentTimeMillis()));
            putAside(subject, backlog, dueAt, recorder);
            SteadyTasks.Window during = new SteadyTasks.Window(dueAt, System.currentTimeMillis());
            SteadyTasks.Window with = window(time);
            recorder.end();
            others.stop(recorder);
            double before = p99(others, without, "without a large key", recorder);
            double meanwhile = p99(others, during, "while its backlog is put aside", recorder);
            recorder.metric("others' p99 per 100,000 tasks that are put aside", meanwhile * 100_000 / backlog);
            double beside = p99(others, with, "beside a large key", recorder);
            recorder.metric("others' p99 beside a large key, to that without", beside / before);
        }
    }

    private static SteadyTasks.Window window(Duration time) throws InterruptedException {
        long from = System.currentTimeMillis();
        Thread.sleep(time.toMillis());
        return new SteadyTasks.Window(from, System.currentTimeMillis());
    }

    /** Waits until the backlog is no longer among the due tasks. */
    private static void putAside(DelayqueueSubject subject, int backlog, long dueAt, Recorder recorder)
            throws InterruptedException {
        long end = dueAt + 120_000;
        // Some may be delivered in the meantime.
        while (subject.heldBack() < backlog - 1_000) {
            if (System.currentTimeMillis() > end) {
                recorder.problem("the backlog was not put aside");
                return;
            }
            Thread.sleep(20);
        }
        recorder.metric("put aside a second", backlog * 1000.0 / Math.max(1, System.currentTimeMillis() - dueAt));
    }

    private static double p99(SteadyTasks others, SteadyTasks.Window window, String what, Recorder recorder) {
        double[] sorted = others.latenessMillis(List.of(window));
        if (sorted.length == 0) {
            recorder.problem("no task was due " + what);
            return Double.NaN;
        }
        double p99 = sorted[(int) Math.ceil(0.99 * sorted.length) - 1];
        recorder.metric("others' p99 " + what, p99);
        return p99;
    }

    private static void clinics(Setting setting, Recorder recorder) throws InterruptedException {
        int small = CLINICS * PER_CLINIC;
        Stage stage = new Stage(0, small);
        Sink sink = new Sink() {
            @Override
            public void arrived(String payload) {
                arrived(payload, Stage.nowMicros());
            }

            @Override
            public void arrived(String payload, long atMicros) {
                stage.arrived(Task.numberIn(payload), Task.dueIn(payload), atMicros);
            }
        };
        // The ids of the large clinic sort first, so its tasks precede the others of the same due time.
        try (DelayqueueSubject subject = DelayqueueSubject.keyed(
                setting.place(),
                Need.toHandle(1, sink).sharded(1, "clinics"),
                FIVE_A_SECOND,
                number -> number < small ? "clinic-" + number / PER_CLINIC : "a-large-clinic")) {
            long dueAt = System.currentTimeMillis() + 15_000;
            List<Task> tasks = new ArrayList<>();
            for (int number = 0; number < small + OF_THE_LARGE_CLINIC; number++) {
                tasks.add(Task.of(0, number, dueAt));
                if (tasks.size() == Load.BATCH || number == small + OF_THE_LARGE_CLINIC - 1) {
                    subject.scheduleAll(List.copyOf(tasks));
                    tasks.clear();
                }
            }
            if (System.currentTimeMillis() > dueAt) {
                recorder.problem("clinics: scheduling took longer than until the tasks were due");
            }
            Thread.sleep(Math.max(0, dueAt - System.currentTimeMillis()));
            stage.await(Duration.ofSeconds(30), Duration.ofSeconds(120));
            recorder.count("the other clinics", small, stage.arrived());
            if (stage.duplicates() + stage.early() > 0) {
                recorder.problem("clinics: " + stage.duplicates() + " came twice, " + stage.early() + " early");
            }
            if (stage.arrived() > 0) {
                recorder.metric("other clinics' p50", stage.latenessMillis(0.5));
                recorder.metric("other clinics' p99", stage.latenessMillis(0.99));
            }
        }
    }
}
