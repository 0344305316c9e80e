// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.benchmarks.subject;

import io.delayqueue.benchmarks.server.Place;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;

/**
 * BullMQ with its defaults, a worker with a concurrency of 100 for each queue, and jobs that are removed when they are
 * done. A batch is one {@code addBulk}.
 */
final class BullmqSubject implements OwnProcess {

    private final NodeProcess node;

    BullmqSubject(Place place, Need need) {
        this.node = new NodeProcess(
                "bullmq.mjs",
                List.of(
                        place.redis().getHost(),
                        String.valueOf(place.redis().getPort()),
                        String.valueOf(need.queues()),
                        need.sink() == null ? "keep" : "handle"),
                need.sink());
        pending(); // The process replies when it is connected.
    }

    @Override
    public void schedule(Task task) {
        node.call("add " + word(task));
    }

    @Override
    public void scheduleAll(List<Task> tasks) {
        node.call("addAll " + words(tasks));
    }

    @Override
    public Calls schedule(int callers, Duration time, long first, long dueAt) {
        return calls("addFor " + callers + " " + time.toMillis() + " " + first + " " + dueAt);
    }

    @Override
    public boolean cancel(Task task) {
        return cancel(List.of(task), Duration.ofMinutes(1)).count() == 1;
    }

    @Override
    public Calls cancel(List<Task> tasks, Duration time) {
        return calls("removeFor " + time.toMillis() + " " + words(tasks));
    }

    private Calls calls(String what) {
        String[] answer = node.call(what).split(" ");
        return new Calls(Long.parseLong(answer[0]), Long.parseLong(answer[1]));
    }

    private static String words(List<Task> tasks) {
        return tasks.stream().map(BullmqSubject::word).collect(Collectors.joining(" "));
    }

    /** Returns the task as text; its id and payload are derived from it. */
    private static String word(Task task) {
        return task.queue() + ":" + task.number() + ":" + task.dueAt();
    }

    @Override
    public long pending() {
        return Long.parseLong(node.call("pending"));
    }

    @Override
    public long cpuNanos() {
        return Long.parseLong(node.call("cpu"));
    }

    @Override
    public void close() {
        node.close();
    }
}
