// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.benchmarks.workload;

import io.delayqueue.benchmarks.server.BrokerQueue;
import io.delayqueue.benchmarks.subject.Need;
import io.delayqueue.benchmarks.subject.Subject;
import io.delayqueue.benchmarks.subject.Subjects;
import java.time.Duration;
import java.util.Locale;
import java.util.Set;

/**
 * W2c: tasks due at once, to RabbitMQ. Measures the processor time, and the time from the first message in the
 * broker's queue to the last. Then counts each task in the queue. Repeats this with a queue
 * whose consumer acknowledges, and measures from its first message to its last.
 */
final class ForwardWorkload implements Workload {

    private static final int SMALL = 50_000;

    /** The number of small floods to a consumer. The median counts, because one flood takes only a second or two. */
    private static final int SMALL_FLOODS = 3;

    private static final Set<String> ALSO_QUORUM =
            Set.of(Subjects.DELAYQUEUE, Subjects.BARE_CONFIRMS, Subjects.BARE_CONFIRMS_TOLD);

    private static final Set<String> ALSO_CONSUMED =
            Set.of(Subjects.DELAYQUEUE, Subjects.LOOP, Subjects.BARE_CONFIRMS, Subjects.BARE_CONFIRMS_TOLD);

    @Override
    public void run(Setting setting, Recorder recorder) throws InterruptedException {
        forward(setting, recorder, false);
        // This comes before the quorum queue, which the loop does not use, so that all subjects have done the same
        // before each queue.
        if (ALSO_CONSUMED.contains(setting.subject())) {
            consumed(setting, recorder);
        }
        if (ALSO_QUORUM.contains(setting.subject())) {
            forward(setting, recorder, true);
        }
    }

    private static void forward(Setting setting, Recorder recorder, boolean quorum) throws InterruptedException {
        String name = "forward-" + setting.subject() + (quorum ? "-quorum" : "-classic");
        try (BrokerQueue queue = new BrokerQueue(setting.place(), name, quorum);
                Subject subject = Subjects.open(setting.subject(), setting.place(), Need.toForward(queue))) {
            BrokerFlood flood = new BrokerFlood(subject, queue, setting.place(), recorder);
            flood.warmUp(Duration.ofMillis(setting.size(6000, 3000)));
            for (int count : counts(setting)) {
                String metric =
                        String.format(Locale.ROOT, "%,d due at once, %s queue", count, quorum ? "quorum" : "classic");
                flood.drain(metric, count);
            }
        }
    }

    private static void consumed(Setting setting, Recorder recorder) throws InterruptedException {
        Arrivals arrivals = new Arrivals();
        Medians medians = new Medians();
        String name = "forward-" + setting.subject() + "-consumed";
        try (BrokerQueue queue = new BrokerQueue(setting.place(), name, false);
                Subject subject = Subjects.open(setting.subject(), setting.place(), Need.toForward(queue))) {
            queue.consume(arrivals::arrived);
            Flood flood = new Flood(subject, arrivals, new Load(subject));
            flood.warmUp(Duration.ofMillis(setting.size(6000, 3000)), recorder);
            for (int count : counts(setting)) {
                String metric = String.format(Locale.ROOT, "%,d due at once, classic queue with a consumer", count);
                for (int i = 0; i < (count == SMALL ? SMALL_FLOODS : 1); i++) {
                    medians.add(metric, flood.drain(metric, count, recorder));
                }
            }
        }
        medians.record(recorder);
        if (arrivals.strays() > 0) {
            recorder.problem(arrivals.strays() + " messages that were not expected");
        }
    }

    private static int[] counts(Setting setting) {
        return setting.quick() ? new int[] {SMALL} : new int[] {SMALL, 200_000};
    }
}
