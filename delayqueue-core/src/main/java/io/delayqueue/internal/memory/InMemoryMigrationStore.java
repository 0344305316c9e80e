// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.memory;

import io.delayqueue.internal.store.LayoutVersion;
import io.delayqueue.internal.store.MigrationHold;
import io.delayqueue.internal.store.MigrationPage;
import io.delayqueue.internal.store.MigrationStore;
import io.delayqueue.internal.store.Shard;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** The steps in which tasks migrate to another shard, and fencing tokens with them. */
record InMemoryMigrationStore(MemoryCalls calls) implements MigrationStore {

    private static final String BEHIND = "behind ";

    @Override
    public CompletableFuture<MigrationPage> scan(Shard name, LayoutVersion layout, String cursor, int count) {
        return calls.on(name, (shard, now) -> scan(shard, layout, cursor, count));
    }

    private static MigrationPage scan(MemoryShard shard, LayoutVersion layout, String cursor, int count) {
        shard.fence(layout);
        NavigableMap<String, MemoryTask> all = shard.tasks.byId();
        Iterator<MemoryTask> rest = (cursor.equals(MigrationPage.START)
                        ? all
                        : all.tailMap(cursor.substring(BEHIND.length()), false))
                .values()
                .iterator();
        List<MigrationPage.Entry> page = new ArrayList<>();
        String next = MigrationPage.START;
        long bytes = 0;
        while (rest.hasNext() && page.size() < count) {
            MemoryTask task = rest.next();
            page.add(new MigrationPage.Entry(
                    task.id, Objects.requireNonNullElse(task.content.shardKey(), task.id), false));
            bytes += task.size();
            next = BEHIND + task.id;
        }
        return new MigrationPage(rest.hasNext() ? next : MigrationPage.START, rest.hasNext(), bytes, page);
    }

    @Override
    public CompletableFuture<MigrationHold> hold(
            Shard name, LayoutVersion layout, List<String> ids, Duration hold, int maxBytes) {
        return calls.on(name, ids.size(), (shard, now) -> hold(shard, now, layout, ids, hold, maxBytes));
    }

    private static MigrationHold hold(
            MemoryShard shard, Now now, LayoutVersion layout, List<String> ids, Duration hold, int maxBytes) {
        shard.fence(layout);
        List<MemoryTask> found = new ArrayList<>();
        int lookedAt = 0;
        int busy = 0;
        long bytes = 0;
        while (lookedAt < ids.size() && bytes <= maxBytes) {
            MemoryTask task = shard.tasks.get(ids.get(lookedAt++));
            if (task != null && (task.isLeased() || task.isHeld(now))) {
                busy++;
            } else if (task != null) {
                found.add(task);
                bytes += task.size();
            }
        }
        long deadline = now.millis() + hold.toMillis();
        long token = found.isEmpty() ? 0 : shard.nextToken(now);
        found.forEach(task -> task.hold = new Hold(token, deadline));
        return new MigrationHold(
                token,
                Instant.ofEpochMilli(deadline),
                lookedAt,
                busy,
                found.stream().map(TaskBytes::item).toList());
    }

    @Override
    public CompletableFuture<Boolean> takeIn(
            Shard name, LayoutVersion layout, Instant before, long leastToken, List<MigrationHold.Item> items) {
        return calls.on(name, items.size(), (shard, now) -> {
            List<MemoryTask> tasks = items.stream().map(TaskBytes::task).toList();
            shard.fence(layout);
            if (now.millis() >= before.toEpochMilli()) {
                return false;
            }
            Long head = shard.tasks.earliest();
            shard.raiseToken(leastToken);
            for (int i = 0; i < items.size(); i++) {
                takeIn(shard, items.get(i), tasks.get(i), head);
            }
            return true;
        });
    }

    /** A copy that an earlier migration left behind stays, unless it is dead and the other one was redriven. */
    private static void takeIn(MemoryShard shard, MigrationHold.Item item, MemoryTask task, @Nullable Long head) {
        MemoryTask here = shard.tasks.get(item.id());
        if (here != null && here.isOfRequest(task.requestId) && (item.dead() || !here.dead)) {
            return;
        }
        if (here != null && here.isLeased() && task.attempts == null) {
            task.attempts = Attempts.uncertain(Attempts.REPLACED);
        }
        shard.tasks.put(task, item.dead(), item.momentMillis());
        if (!item.dead()) {
            shard.wakeIfEarlier(item.momentMillis(), head);
        }
    }

    @Override
    public CompletableFuture<List<Boolean>> end(Shard name, long token, boolean migrated, List<String> ids) {
        return calls.on(
                name,
                ids.size(),
                (shard, now) ->
                        ids.stream().map(id -> end(shard, token, migrated, id)).toList());
    }

    private static boolean end(MemoryShard shard, long token, boolean migrated, String id) {
        MemoryTask task = shard.tasks.get(id);
        if (task == null || task.hold == null || task.hold.token() != token) {
            return false;
        }
        if (migrated) {
            shard.tasks.remove(task);
        } else {
            task.hold = null;
            shard.wake();
        }
        return true;
    }

    @Override
    public CompletableFuture<Long> raiseToken(Shard name, long leastToken) {
        return calls.on(name, (shard, now) -> {
            shard.raiseToken(leastToken);
            return shard.token;
        });
    }
}
