// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.sharding;

import io.delayqueue.internal.concurrent.Seam;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Remembers the newest layout of each queue, and tells listeners when one changes. */
final class KnownLayouts implements QueueLayouts {

    private static final Logger log = LoggerFactory.getLogger(KnownLayouts.class);

    private final Map<String, QueueLayout> layouts = new ConcurrentHashMap<>();
    private final Map<String, List<Runnable>> listeners = new ConcurrentHashMap<>();
    private final Function<String, QueueLayout> first;

    /** @param first gives a queue's layout when it is asked for the first time; must not call back */
    KnownLayouts(Function<String, QueueLayout> first) {
        this.first = first;
    }

    @Override
    public QueueLayout of(String queue) {
        QueueLayout known = layouts.get(queue);
        if (known != null) {
            return known;
        }
        return adopt(queue, first.apply(queue));
    }

    @Override
    public CompletableFuture<QueueLayout> refresh(String queue) {
        return CompletableFuture.completedFuture(of(queue));
    }

    @Override
    public CompletableFuture<QueueLayout> newestSeen(String queue, int shards) {
        return refresh(queue);
    }

    @Override
    public QueueLayout adopt(String queue, QueueLayout layout) {
        boolean[] changed = new boolean[1];
        QueueLayout inForce = layouts.merge(queue, layout, (known, met) -> {
            changed[0] = met.epoch() > known.epoch();
            return changed[0] ? met : known;
        });
        if (changed[0]) {
            for (Runnable listener : listeners.getOrDefault(queue, List.of())) {
                Seam.run(log, "What follows a change of layout failed", listener);
            }
        }
        return inForce;
    }

    @Override
    public Registration listen(String queue, Runnable onChange) {
        List<Runnable> all = listeners.computeIfAbsent(queue, q -> new CopyOnWriteArrayList<>());
        all.add(onChange);
        return () -> all.remove(onChange);
    }
}
