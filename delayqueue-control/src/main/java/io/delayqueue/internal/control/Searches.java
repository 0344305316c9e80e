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
 * The background searches of this process. A search is known until it has ended and a caller has seen the end, or no
 * caller has requested it for 15 seconds. The next call with the same text then starts another one.
 */
final class Searches {

    private final Scans scans = new Scans();
    private final Map<Key, TaskSearch> known = new HashMap<>();
    private final Executor threads;
    private final BiFunction<List<String>, String, TaskSearch> create;

    /** @param create returns a search in some queues for a text */
    Searches(Executor threads, BiFunction<List<String>, String, TaskSearch> create) {
        this.threads = threads;
        this.create = create;
    }

    /** Identifies a search. Callers see only results from the queues that they may read now. */
    private record Key(String caller, List<String> queues, String text) {}

    /**
     * Returns what a search has found so far. Starts the search unless it is known.
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

    /** Ends the searches after their current page. */
    synchronized void close() {
        known.values().forEach(TaskSearch::stop);
    }
}
