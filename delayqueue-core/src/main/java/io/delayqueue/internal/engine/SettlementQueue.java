// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.engine;

import io.delayqueue.delivery.TaskDeath;
import io.delayqueue.internal.store.LeaseRef;
import io.delayqueue.internal.store.Settlement;
import io.delayqueue.internal.store.TaskStore;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/** What a shard has to settle, in order. Any thread may offer; all else is for one thread at a time. */
final class SettlementQueue {

    private final Queue<Item> offered = new ConcurrentLinkedQueue<>();
    private final Deque<Item> waiting = new ArrayDeque<>();

    /** Any thread. */
    void offer(Item item) {
        offered.add(item);
    }

    /** Comes before all others. */
    void putBack(Item item) {
        waiting.addFirst(item);
    }

    /**
     * Takes what can go in one call, none if there is nothing. All of one kind, and no id twice: a second settlement of
     * an id waits for a later call.
     */
    List<Item> nextBatch() {
        for (Item item = offered.poll(); item != null; item = offered.poll()) {
            waiting.add(item);
        }
        List<Item> batch = new ArrayList<>(Math.min(waiting.size(), TaskStore.MAX_BATCH));
        List<Item> again = new ArrayList<>();
        Set<String> ids = new HashSet<>();
        try {
            for (Item item = waiting.peek();
                    item != null && batch.size() < TaskStore.MAX_BATCH;
                    item = waiting.peek()) {
                boolean fits =
                        batch.isEmpty() || item.isRelease() == batch.get(0).isRelease();
                (fits && ids.add(item.lease().id()) ? batch : again).add(item);
                waiting.remove();
            }
        } catch (Throwable ex) {
            putBack(again);
            putBack(batch);
            throw ex;
        }
        putBack(again);
        return batch;
    }

    /** There is room: they came from there. */
    private void putBack(List<Item> items) {
        for (int i = items.size() - 1; i >= 0; i--) {
            waiting.addFirst(items.get(i));
        }
    }

    /**
     * A lease whose end is on its way to the store.
     *
     * @param lease the lease
     * @param settlement how it ends; null if it is released
     * @param giveUpNanos when to stop trying, in {@link System#nanoTime()}
     * @param done run when it is over
     * @param death told to the application when the store has confirmed that the task is dead; null for none
     * @param logged whether the destination has logged why the task died
     * @param mayHaveRun whether it was sent before and no answer came, so that another one says nothing of what it did
     */
    record Item(
            LeaseRef lease,
            @Nullable Settlement settlement,
            long giveUpNanos,
            Runnable done,
            @Nullable TaskDeath death,
            boolean logged,
            boolean mayHaveRun) {

        static Item of(
                Settlement settlement, long giveUpNanos, Runnable done, @Nullable TaskDeath death, boolean logged) {
            return new Item(
                    new LeaseRef(settlement.id(), settlement.token()),
                    settlement,
                    giveUpNanos,
                    done,
                    death,
                    logged,
                    false);
        }

        static Item of(LeaseRef lease, long giveUpNanos, Runnable done) {
            return new Item(lease, null, giveUpNanos, done, null, false, false);
        }

        /** The same, which was sent. */
        Item sent() {
            return mayHaveRun ? this : new Item(lease, settlement, giveUpNanos, done, death, logged, true);
        }

        boolean isRelease() {
            return settlement == null;
        }

        Settlement ending() {
            return Objects.requireNonNull(settlement);
        }
    }
}
