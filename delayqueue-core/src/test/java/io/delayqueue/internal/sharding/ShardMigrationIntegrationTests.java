// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.sharding;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayqueue.ConflictPolicy;
import io.delayqueue.Due;
import io.delayqueue.LogLines;
import io.delayqueue.TaskContent;
import io.delayqueue.internal.redis.StoreFixture;
import io.delayqueue.internal.store.InterceptedStore;
import io.delayqueue.internal.store.NewTask;
import io.delayqueue.internal.store.Shard;
import io.delayqueue.internal.store.StoreCalls;
import io.delayqueue.internal.store.TaskStore;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ShardMigrationIntegrationTests {

    private static final Sharding FROM_TWO = new Sharding(7, 1, 1, 2);
    private static final Shard LAST = new Shard("orders", 1);

    private final StoreFixture redis = new StoreFixture();

    @AfterEach
    void close() {
        redis.close();
    }

    private void scheduleInLast() {
        TaskContent content = new TaskContent("application/json", Map.of(), new byte[1]);
        StoreCalls.schedule(
                        redis.store(),
                        LAST,
                        List.of(new NewTask(
                                "a", new byte[16], new Due(true, 60_000), ConflictPolicy.REPLACE, content, 0)))
                .join();
    }

    @Test
    void passWhenTheTargetsClockIsAheadWarnsOnceOfTheClocks() {
        scheduleInLast();
        AtomicLong ahead = new AtomicLong();
        TaskStore store = InterceptedStore.around(redis.store(ahead::get), (role, method, arguments) -> {
            ahead.set(method.getName().equals("takeIn") ? 800 : 0);
            return method.invoke(role, arguments);
        });
        ShardMigration migration = new ShardMigration(store, "orders", FROM_TWO, () -> true);
        try (LogLines log = new LogLines()) {
            assertThat(migration.pass().left()).containsExactly(1);
            migration.pass();

            assertThat(log.all())
                    .singleElement()
                    .asString()
                    .contains("Queue 'orders', shard 0")
                    .contains("clocks");
        }
    }

    @Test
    void passWhenItMayNotGoOnWithinTheLastPageIsNotClean() {
        scheduleInLast();
        AtomicInteger steps = new AtomicInteger();

        ShardMigration.Pass pass =
                new ShardMigration(redis.store(), "orders", FROM_TWO, () -> steps.incrementAndGet() <= 4).pass();

        assertThat(redis.index(LAST)).containsOnlyKeys("a");
        assertThat(pass.isClean()).isFalse();
    }
}
