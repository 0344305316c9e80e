// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.control;

import io.delayqueue.DelayQueueException;
import io.delayqueue.HistoryEntry;
import io.delayqueue.InvalidTaskException;
import io.delayqueue.TaskContent;
import io.delayqueue.TaskIds;
import io.delayqueue.admin.DelayQueueAdmin;
import io.delayqueue.admin.QueueStats;
import io.delayqueue.internal.calls.BoundedWait;
import io.delayqueue.internal.store.Page;
import io.delayqueue.internal.store.PageRequest;
import io.delayqueue.internal.store.Position;
import io.delayqueue.internal.store.Shard;
import io.delayqueue.internal.store.StoredTask;
import io.delayqueue.internal.store.StoredTaskView;
import io.delayqueue.internal.store.TaskStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A search for a text in the ids, keys, groups and headers of the live and dead tasks of some queues. Ignores case. Runs
 * once, on one thread; any thread may look at it.
 */
final class TaskSearch implements Runnable {

    static final int MOST_FOUND = 100;
    static final Duration LONGEST = Duration.ofSeconds(60);

    private static final int PAGE = 500;
    private static final int MAX_BYTES = 4 * 1024 * 1024;
    /** Leaves Redis time for deliveries. */
    private static final long PAUSE_MILLIS = 2;

    private final DelayQueueAdmin admin;
    private final TaskStore store;
    private final BoundedWait wait;
    private final List<String> queues;
    private final Function<String, List<Shard>> shards;
    private final String text;
    private final String lower;
    private final List<SearchView.Found> found = new ArrayList<>();
    private final List<SearchView.Past> past = new ArrayList<>();
    private final Map<String, String> unreadable = new LinkedHashMap<>();
    private final CountDownLatch ended = new CountDownLatch(1);
    private long looked;
    private long total;
    private boolean isComplete;
    private volatile boolean isStopped;

    /** @param shards returns the shards of a queue */
    TaskSearch(
            DelayQueueAdmin admin,
            TaskStore store,
            List<String> queues,
            Function<String, List<Shard>> shards,
            String text) {
        this.admin = admin;
        this.store = store;
        this.wait = new BoundedWait(store.callTimeout());
        this.queues = queues;
        this.shards = shards;
        this.text = text;
        this.lower = text.toLowerCase(Locale.ROOT);
    }

    /** Waits for the end, but not longer than this. */
    void await(Duration patience) {
        try {
            ended.await(patience.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException ex) {
            Thread.currentThread().interrupt();
        }
    }

    boolean hasEnded() {
        return ended.getCount() == 0;
    }

    /** Ends the search after its current page. */
    void stop() {
        isStopped = true;
    }

    synchronized SearchView view() {
        return new SearchView(
                List.copyOf(found),
                List.copyOf(past),
                looked,
                Math.max(looked, total),
                hasEnded(),
                isComplete,
                Map.copyOf(unreadable));
    }

    @Override
    public void run() {
        try {
            long end = System.nanoTime() + LONGEST.toNanos();
            List<String> readable = queues.stream()
                    .filter(queue -> System.nanoTime() - end < 0 && tried(queue, this::prepare))
                    .toList();
            boolean all = true;
            for (String queue : readable) {
                all &= tried(queue, name -> search(name, end));
            }
            synchronized (this) {
                isComplete = all && unreadable.isEmpty() && readable.size() == queues.size();
            }
        } finally {
            ended.countDown();
        }
    }

    private interface Step {
        boolean on(String queue);
    }

    /** Returns the result of a step; {@code false} if the queue cannot be read. */
    private boolean tried(String queue, Step step) {
        try {
            return step.on(queue);
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
            return List.of(); // no task can have this id
        }
    }

    /** @param end when to end, as of {@link System#nanoTime} */
    private boolean search(String queue, long end) {
        for (Shard shard : shards.apply(queue)) {
            if (!search(shard, PageRequest.live(PAGE), end) || !search(shard, PageRequest.newest(PAGE), end)) {
                return false;
            }
        }
        return true;
    }

    /** Returns whether the list was read to its end. */
    private boolean search(Shard shard, PageRequest list, long end) {
        Position position = list.after();
        while (position != null) {
            Page page = wait.answer(
                    store.shards().page(shard, list.after(position).withContent(MAX_BYTES)),
                    "Queue '" + shard.queue() + "', tasks");
            if (note(shard.queue(), page.tasks()) >= MOST_FOUND) {
                return false;
            }
            position = page.next();
            if (position != null && (isStopped || System.nanoTime() - end >= 0 || !pause())) {
                return false;
            }
        }
        return true;
    }

    private static boolean pause() {
        try {
            Thread.sleep(PAUSE_MILLIS);
            return true;
        } catch (InterruptedException ex) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** Returns the number of tasks that were found so far. */
    private synchronized int note(String queue, List<StoredTask> tasks) {
        looked += tasks.size();
        for (StoredTask task : tasks) {
            String where = where(task);
            if (where != null && found.size() < MOST_FOUND) {
                found.add(new SearchView.Found(
                        TaskView.of(new StoredTaskView.Listed(queue, task)).shown(), where));
            }
        }
        return found.size();
    }

    /** Returns which part of the task contains the text; null for none. */
    private @Nullable String where(StoredTask task) {
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
        TaskContent content = task.content();
        return content == null
                ? null
                : content.headers().entrySet().stream()
                        .filter(header -> contains(header.getValue()))
                        .map(header -> "header " + header.getKey())
                        .sorted()
                        .findFirst()
                        .orElse(null);
    }

    private boolean contains(String part) {
        return part.toLowerCase(Locale.ROOT).contains(lower);
    }
}
