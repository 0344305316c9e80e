// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.control;

import io.delayqueue.control.Caller;
import io.delayqueue.internal.concurrent.NamedThreads;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/** The background searches of this process. A search is kept until nobody has asked for it for two minutes. */
final class Searches {

    private static final long KEEP = TimeUnit.MINUTES.toNanos(2);

    /** Kept results, of all callers. */
    private static final int MOST_KEPT = 50;

    private final Scans scans;
    private final Map<Key, Kept> kept = new HashMap<>();
    private final ThreadPoolExecutor threads = new ThreadPoolExecutor(
            0,
            Integer.MAX_VALUE,
            10,
            TimeUnit.SECONDS,
            new SynchronousQueue<>(),
            NamedThreads.bareDaemons("delayqueue-control-"));

    Searches(Scans scans) {
        this.scans = scans;
    }

    /** A caller sees only results from the queues that the caller may read now. */
    private record Key(String caller, List<String> queues, String text) {}

    private record Kept(TaskSearch search, long askedAt) {}

    /**
     * Returns a search, which is started unless it is kept.
     *
     * @param patience how long to wait for its end
     * @param create creates a search for a text
     * @throws TooManyScansException if a new search would exceed the limits of {@link Scans}
     */
    SearchView search(
            Caller caller, List<String> queues, String text, Duration patience, Function<String, TaskSearch> create) {
        TaskSearch search = find(caller, new Key(caller.name(), queues, text), create);
        search.await(patience);
        return search.view();
    }

    private synchronized TaskSearch find(Caller caller, Key key, Function<String, TaskSearch> create) {
        long now = System.nanoTime();
        kept.values().removeIf(old -> old.search().hasEnded() && now - old.askedAt() > KEEP);
        Kept known = kept.get(key);
        TaskSearch search = known == null ? start(caller, create.apply(key.text())) : known.search();
        kept.put(key, new Kept(search, now));
        return search;
    }

    private TaskSearch start(Caller caller, TaskSearch search) {
        if (kept.size() >= MOST_KEPT) {
            throw new TooManyScansException("This process keeps the results of up to " + MOST_KEPT
                    + " searches. Wait two minutes, then search again");
        }
        scans.begin(caller.name(), Duration.ZERO);
        try {
            threads.execute(() -> {
                try {
                    search.run();
                } finally {
                    scans.end(caller.name());
                }
            });
        } catch (RejectedExecutionException | OutOfMemoryError ex) {
            scans.end(caller.name());
            throw new TooManyScansException(
                    "This process is shutting down or has no free thread, so it starts no search");
        }
        return search;
    }

    /** Ends the searches after their current page. */
    synchronized void close() {
        threads.shutdownNow();
        kept.values().forEach(each -> each.search().stop());
    }
}
