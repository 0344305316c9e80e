// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.concurrent;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Batches items. Sends an item at once while fewer than {@code maxCalls} calls are in progress. Items that arrive later
 * share the next call. Only one item of an id is in progress at a time, so items of one id are sent in the order of their
 * offers. Thread-safe and non-blocking.
 *
 * <p>Only the sending rounds use {@code waiting}, {@code idsInProgress} and {@code calls}. Callers add their items to
 * {@code offered}; ended calls are added to {@code ended}.
 *
 * @param <T> an item
 */
public final class CallBatcher<T> {

    private static final Logger log = LoggerFactory.getLogger(CallBatcher.class);
    private static final Duration PAUSE_AFTER_ERROR = Duration.ofSeconds(1);

    /** Maximum number of items that other items may overtake because they cannot join a call. */
    private static final int MOST_HELD = 1000;

    private final String what;
    private final Calls<T> sending;
    private final int maxCalls;
    private final int maxItems;
    private final int maxBytes;
    private final BiConsumer<Duration, Runnable> later;
    private final Queue<T> offered = new ConcurrentLinkedQueue<>();
    private final Queue<Ended<T>> ended = new ConcurrentLinkedQueue<>();
    private final SignalledRounds rounds;

    private final Deque<T> waiting = new ArrayDeque<>();
    private final Set<String> idsInProgress = new HashSet<>();
    private int calls;

    /**
     * @param what name of the work, to start a log message
     * @param maxCalls maximum number of calls in progress
     * @param maxItems maximum number of items in a call
     * @param maxBytes maximum size of a call with more than one item
     * @param executor executor that continues if the offering thread has already sent many calls
     * @param later runs a non-blocking step after a delay
     */
    public CallBatcher(
            String what,
            Calls<T> sending,
            int maxCalls,
            int maxItems,
            int maxBytes,
            Executor executor,
            BiConsumer<Duration, Runnable> later) {
        this.what = what;
        this.sending = sending;
        this.maxCalls = maxCalls;
        this.maxItems = maxItems;
        this.maxBytes = maxBytes;
        this.later = later;
        this.rounds = SignalledRounds.here(what, executor, this::sendWaiting);
    }

    /** Sends an item at once, or after calls that are in progress. */
    public void offer(T item) {
        offered.add(item);
        if (rounds.begins()) {
            rounds.run();
        }
    }

    /** Sends several items at once, or after calls that are in progress. */
    public void offerAll(Collection<T> items) {
        offered.addAll(items);
        if (rounds.begins()) {
            rounds.run();
        }
    }

    private void sendWaiting() {
        try {
            takeUp();
            while (!waiting.isEmpty() && calls < maxCalls) {
                List<T> batch = nextBatch();
                if (batch.isEmpty()) {
                    return;
                }
                calls++;
                CompletableFuture<End<T>> call;
                try {
                    call = sending.send(batch);
                } catch (Throwable ex) {
                    Guard.tell(() -> log.error("{} failed; retrying", what, ex));
                    ended(batch, batch, PAUSE_AFTER_ERROR);
                    continue;
                }
                call.whenComplete((end, error) -> answered(batch, end, error));
            }
        } catch (Throwable ex) {
            Guard.tell(() -> log.error("{} failed; retrying", what, ex));
            after(PAUSE_AFTER_ERROR, rounds::signal);
        }
    }

    private void takeUp() {
        for (Ended<T> call = ended.poll(); call != null; call = ended.poll()) {
            calls--;
            call.batch().forEach(item -> idsInProgress.remove(sending.idOf(item)));
            putBack(call.again());
        }
        for (T item = offered.poll(); item != null; item = offered.poll()) {
            waiting.add(item);
        }
    }

    private List<T> nextBatch() {
        List<T> batch = new ArrayList<>(Math.min(waiting.size(), maxItems));
        List<T> held = new ArrayList<>(0);
        Set<String> heldIds = new HashSet<>(0);
        int bytes = 0;
        try {
            while (!waiting.isEmpty() && batch.size() < maxItems && held.size() < MOST_HELD) {
                T item = waiting.element();
                String id = sending.idOf(item);
                if (sending.isGivenUp(item)) {
                    waiting.remove();
                } else if (idsInProgress.contains(id) || heldIds.contains(id) || !mayJoin(item, batch, bytes)) {
                    heldIds.add(id);
                    held.add(item);
                    waiting.remove();
                } else {
                    batch.add(item);
                    idsInProgress.add(id);
                    bytes += sending.sizeOf(item);
                    waiting.remove();
                }
            }
        } catch (Throwable ex) {
            batch.forEach(item -> idsInProgress.remove(sending.idOf(item)));
            putBack(held);
            putBack(batch);
            throw ex;
        }
        putBack(held);
        return batch;
    }

    private boolean mayJoin(T item, List<T> batch, int bytes) {
        return batch.isEmpty() || (bytes + sending.sizeOf(item) <= maxBytes && sending.mayJoin(item, batch.get(0)));
    }

    private void putBack(List<T> items) {
        for (int i = items.size() - 1; i >= 0; i--) {
            waiting.addFirst(items.get(i));
        }
    }

    private void answered(List<T> batch, @Nullable End<T> end, @Nullable Throwable error) {
        if (end != null) {
            ended(batch, end.again(), end.pause());
        } else {
            Guard.tell(() -> log.error("{}: could not process a reply", what, error));
            ended(batch, List.of(), PAUSE_AFTER_ERROR);
        }
    }

    private void ended(List<T> batch, List<T> again, Duration pause) {
        if (pause.isZero()) {
            over(batch, again);
        } else if (!after(pause, () -> over(batch, again))) {
            ended.add(new Ended<>(batch, again));
        }
    }

    private void over(List<T> batch, List<T> again) {
        ended.add(new Ended<>(batch, again));
        rounds.signal();
    }

    /**
     * Runs a step after a pause. Returns {@code false} if the step cannot be scheduled; the next offered item then also
     * sends the waiting ones.
     */
    private boolean after(Duration pause, Runnable step) {
        try {
            later.accept(pause, step);
        } catch (RejectedExecutionException ex) {
            log.debug("{}: the application stopped before everything was sent", what);
        } catch (Throwable ex) {
            return false;
        }
        return true;
    }

    /** Sends batches. Only one thread at a time calls this. */
    public interface Calls<T> {

        /** Returns the id of an item. Only one item of each id is in progress at a time. */
        String idOf(T item);

        int sizeOf(T item);

        /** Returns whether an item no longer needs to be sent. */
        default boolean isGivenUp(T item) {
            return false;
        }

        /** Returns whether an item may join a call that starts with {@code first}. */
        default boolean mayJoin(T item, T first) {
            return true;
        }

        /**
         * Sends a batch. The returned future completes when the call has ended. If this throws, the batch is sent
         * again.
         */
        CompletableFuture<End<T>> send(List<T> batch);
    }

    /**
     * The end of a call.
     *
     * @param again items to send again, before all others
     * @param pause time until another call may start in place of this one
     */
    public record End<T>(List<T> again, Duration pause) {}

    private record Ended<T>(List<T> batch, List<T> again) {}
}
