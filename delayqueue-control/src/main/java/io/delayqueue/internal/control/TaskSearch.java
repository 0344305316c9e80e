// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.control;

import io.delayqueue.DelayQueueException;
import io.delayqueue.HistoryEntry;
import io.delayqueue.InvalidTaskException;
import io.delayqueue.ListedTask;
import io.delayqueue.TaskIds;
import io.delayqueue.TaskState;
import io.delayqueue.admin.DelayQueueAdmin;
import io.delayqueue.admin.QueueStats;
import io.delayqueue.control.TaskFilter;
import io.delayqueue.internal.admin.TaskPosition;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A search for text in the ids, keys, groups and headers of the live and dead tasks of some queues. Ignores case. Runs
 * once on a single thread. Ends early if no caller has requested it for 15 seconds. Any thread may read its state.
 */
final class TaskSearch implements Runnable {

    static final int MOST_FOUND = 100;

    private static final long LONGEST = TimeUnit.SECONDS.toNanos(60);
    private static final long PATIENCE = TimeUnit.SECONDS.toNanos(15);
    private static final int PAGE = 500;

    private final DelayQueueAdmin admin;
    private final TaskPages pages;
    private final List<String> queues;
    private final String text;
    private final String lower;
    private final List<SearchView.Found> found = new ArrayList<>();
    private final List<SearchView.Past> past = new ArrayList<>();
    private final Map<String, String> unreadable = new LinkedHashMap<>();
    private final CountDownLatch ended = new CountDownLatch(1);
    private final long begin = System.nanoTime();
    private long looked;
    private long total;
    private boolean isComplete;
    private volatile long lookedAt = begin;
    private volatile boolean isStopped;

    TaskSearch(DelayQueueAdmin admin, TaskPages pages, List<String> queues, String text) {
        this.admin = admin;
        this.pages = pages;
        this.queues = queues;
        this.text = text;
        this.lower = text.toLowerCase(Locale.ROOT);
    }

    /** Returns the current result, after waiting for the end for a while. */
    SearchView view(Duration patience) {
        lookedAt = System.nanoTime();
        try {
            ended.await(patience.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException ex) {
            Thread.currentThread().interrupt();
        }
        synchronized (this) {
            return new SearchView(
                    List.copyOf(found),
                    List.copyOf(past),
                    looked,
                    Math.max(looked, total),
                    ended.getCount() == 0,
                    isComplete,
                    Map.copyOf(unreadable));
        }
    }

    boolean isForgotten() {
        return System.nanoTime() - lookedAt > PATIENCE;
    }

    /** Ends the search after its current page. */
    void stop() {
        isStopped = true;
    }

    private boolean goesOn() {
        return !isStopped && !isForgotten() && System.nanoTime() - begin < LONGEST;
    }

    @Override
    public void run() {
        try {
            boolean all = true;
            for (Predicate<String> step : List.<Predicate<String>>of(this::prepare, this::search)) {
                for (String queue : queues) {
                    all &= goesOn() && tried(queue, step);
                }
            }
            synchronized (this) {
                isComplete = all;
            }
        } finally {
            ended.countDown();
        }
    }

    /** Runs a step and returns its result; {@code false} if the queue cannot be read. */
    private boolean tried(String queue, Predicate<String> step) {
        try {
            return !unreadable.containsKey(queue) && step.test(queue);
        } catch (DelayQueueException ex) {
            synchronized (this) {
                unreadable.put(queue, String.valueOf(ex.getMessage()));
            }
            return false;
        }
    }

    /** Counts the tasks of a queue, and reads the history of an id. */
    private boolean prepare(String queue) {
        QueueStats stats = admin.stats(queue);
        List<HistoryEntry> entries = history(queue);
        synchronized (this) {
            total += stats.delayed() + stats.heldBack() + stats.ready() + stats.leased() + stats.dead();
            if (!entries.isEmpty()) {
                past.add(new SearchView.Past(queue, entries.get(entries.size() - 1)));
            }
        }
        return true;
    }

    private List<HistoryEntry> history(String queue) {
        try {
            return admin.history(queue, text);
        } catch (InvalidTaskException ex) {
            return List.of(); // The id is invalid, so there is no such task.
        }
    }

    /** Returns whether all tasks of the queue were searched. */
    private boolean search(String queue) {
        for (TaskState state : List.of(TaskState.SCHEDULED, TaskState.DEAD)) {
            TaskPosition position = null;
            do {
                long pageBegin = System.nanoTime();
                TaskPages.Batch batch = pages.batch(queue, state, TaskFilter.ALL, true, true, PAGE, position);
                position = batch.next();
                if (note(batch.tasks()) >= MOST_FOUND || (position != null && !goesOn())) {
                    return false;
                }
                Scans.rest(pageBegin);
            } while (position != null);
        }
        return true;
    }

    /** Returns the number of tasks that were found so far. */
    private synchronized int note(List<ListedTask> tasks) {
        looked += tasks.size();
        for (ListedTask task : tasks) {
            String where = where(task);
            if (where != null && found.size() < MOST_FOUND) {
                found.add(new SearchView.Found(TaskView.of(task).shown(), where));
            }
        }
        return found.size();
    }

    /** Returns which part of the task contains the text; null for none. */
    private @Nullable String where(ListedTask task) {
        String id = task.id();
        if (TaskIds.keyOf(id).filter(this::contains).isPresent()) {
            return "key";
        }
        if (TaskIds.groupOf(id).filter(this::contains).isPresent()) {
            return "group";
        }
        if (contains(id)) {
            return "id";
        }
        return FilterMatch.headers(task).entrySet().stream()
                .filter(header ->
                        contains(header.getValue()) || text.equalsIgnoreCase(header.getKey() + "=" + header.getValue()))
                .map(header -> "header " + header.getKey())
                .sorted()
                .findFirst()
                .orElse(null);
    }

    private boolean contains(String part) {
        return part.toLowerCase(Locale.ROOT).contains(lower);
    }
}
