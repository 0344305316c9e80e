// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.control;

import io.delayqueue.control.Caller;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.BiFunction;

/**
 * The background searches of this process. A search is kept until a caller has received its final result, or no caller
 * has requested it for 15 seconds. After that, a call with the same text starts a new search.
 */
final class Searches {

    private final Scans scans = new Scans();
    private final Map<Key, TaskSearch> known = new HashMap<>();
    private final Executor threads;
    private final BiFunction<List<String>, String, TaskSearch> create;

    /** @param create creates a search for a text in the given queues */
    Searches(Executor threads, BiFunction<List<String>, String, TaskSearch> create) {
        this.threads = threads;
        this.create = create;
    }

    /** Identifies a search. Contains the queues that the caller may read now, so that results come only from those. */
    private record Key(String caller, List<String> queues, String text) {}

    /**
     * Returns the current result of a search. Starts the search if necessary.
     *
     * @param patience how long to wait for its end
     * @throws TooManyScansException if a new search would exceed the limits of {@link Scans}
     */
    SearchView search(Caller caller, List<String> queues, String text, Duration patience) {
        Key key = new Key(caller.name(), queues, text);
        TaskSearch search = find(key);
        SearchView view = search.view(patience);
        if (view.hasEnded()) {
            forget(key, search);
        }
        return view;
    }

    private synchronized TaskSearch find(Key key) {
        known.values().removeIf(TaskSearch::isForgotten);
        return known.computeIfAbsent(key, this::start);
    }

    private synchronized void forget(Key key, TaskSearch search) {
        known.remove(key, search);
    }

    private TaskSearch start(Key key) {
        TaskSearch search = create.apply(key.queues(), key.text());
        scans.begin(key.caller(), Duration.ZERO);
        try {
            threads.execute(() -> {
                try {
                    search.run();
                } finally {
                    scans.end(key.caller());
                }
            });
        } catch (RejectedExecutionException | OutOfMemoryError ex) {
            scans.end(key.caller());
            throw new TooManyScansException(
                    "This process is shutting down or has no free thread, so it starts no search");
        }
        return search;
    }

    /** Stops the searches after their current page. */
    synchronized void close() {
        known.values().forEach(TaskSearch::stop);
    }
}
