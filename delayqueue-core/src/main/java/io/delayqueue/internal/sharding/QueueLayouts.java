// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.sharding;

import io.delayqueue.internal.concurrent.Guard;
import io.delayqueue.queue.QueueCatalog;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The newest layout of each queue that this process knows. Never blocks. Safe for use by many threads.
 *
 * <p>This class learns of changes by {@link #adopt} only. {@link StoredLayouts} reads the store as well.
 */
public class QueueLayouts {

    private static final Logger log = LoggerFactory.getLogger(QueueLayouts.class);

    private final Map<String, QueueLayout> layouts = new ConcurrentHashMap<>();
    private final Map<String, List<Runnable>> listeners = new ConcurrentHashMap<>();
    private final Function<String, QueueLayout> first;

    /** @param first returns the layout of a queue that is asked for the first time; must not call back */
    QueueLayouts(Function<String, QueueLayout> first) {
        this.first = first;
    }

    /** Returns layouts that begin as the queues are configured. */
    public static QueueLayouts fixed(QueueCatalog queues) {
        return fixed(queue -> QueueLayout.initial(queues.get(queue).shards()));
    }

    /** Returns layouts that begin as the function says, which must not call back. */
    public static QueueLayouts fixed(Function<String, QueueLayout> first) {
        return new QueueLayouts(first);
    }

    /**
     * Returns the layout in force, as far as this process knows. Until the recorded one has been read, this is the
     * configured number of shards as an {@linkplain QueueLayout#isUnknown() unknown} layout.
     *
     * @throws io.delayqueue.UnknownQueueException if no such queue is configured
     */
    public final QueueLayout of(String queue) {
        QueueLayout known = layouts.get(queue);
        return (known != null) ? known : adopt(queue, first.apply(queue));
    }

    /**
     * Reads the recorded layout and adopts it. Completes on a thread of the driver.
     *
     * @throws io.delayqueue.UnknownQueueException if no such queue is configured
     */
    public CompletableFuture<QueueLayout> refresh(String queue) {
        return CompletableFuture.completedFuture(of(queue));
    }

    /**
     * Asks shards for the newest layout that a caller passed to them and adopts it. After a failover they may know one
     * that is recorded nowhere else.
     *
     * @param shards 0 to this less 1 are asked
     * @return the layout now in force
     */
    public CompletableFuture<QueueLayout> newestSeen(String queue, int shards) {
        return refresh(queue);
    }

    /**
     * Adopts a layout that was found in the store, if it is newer than the known one. Calls the listeners before it
     * returns.
     *
     * @return the layout now in force
     */
    public final QueueLayout adopt(String queue, QueueLayout layout) {
        boolean[] changed = new boolean[1];
        QueueLayout inForce = layouts.merge(queue, layout, (known, met) -> {
            changed[0] = met.epoch() > known.epoch();
            return changed[0] ? met : known;
        });
        if (changed[0]) {
            for (Runnable listener : listeners.getOrDefault(queue, List.of())) {
                Guard.run(log, "What follows a change of layout failed", listener);
            }
        }
        return inForce;
    }

    /** Calls the listener after each change, on any thread, so it must not block. */
    public Registration listen(String queue, Runnable onChange) {
        List<Runnable> all = listeners.computeIfAbsent(queue, q -> new CopyOnWriteArrayList<>());
        all.add(onChange);
        return () -> all.remove(onChange);
    }

    /** Ends listening. */
    public interface Registration extends AutoCloseable {

        @Override
        void close();
    }
}
