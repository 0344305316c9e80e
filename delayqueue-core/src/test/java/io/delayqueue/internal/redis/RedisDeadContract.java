// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import io.delayqueue.TaskStoreCorruptException;
import io.delayqueue.internal.concurrent.Scheduler;
import io.delayqueue.internal.engine.CollectingDestination;
import io.delayqueue.internal.engine.DeadForwarding;
import io.delayqueue.internal.engine.Engine;
import io.delayqueue.internal.engine.EngineHooks;
import io.delayqueue.internal.sharding.QueueLayout;
import io.delayqueue.internal.sharding.QueueLayouts;
import io.delayqueue.internal.store.Page;
import io.delayqueue.internal.store.PageRequest;
import io.delayqueue.internal.store.ShardRedrive;
import io.delayqueue.internal.store.StoredTask;
import io.delayqueue.queue.QueueSettings;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Dead tasks whose keys something else wrote to. */
abstract class RedisDeadContract extends DeadContract {

    private final TestRedis redis;

    RedisDeadContract(StoreServers servers) {
        super(servers.shared());
        this.redis = servers.shared();
    }

    private static String key(String name) {
        return ShardState.key(SHARD, name);
    }

    @Test
    void deadPageWhenManyDiedInOneMillisecondShowsEachTaskOnce() {
        for (int i = 0; i < 10; i++) {
            dead("d" + i, false);
            redis.raw().zadd(key("dead"), 1000, "d" + i);
        }

        assertThat(pages(3)).hasSize(10).doesNotHaveDuplicates();
    }

    @Test
    void deadPageWhenARecordIsOfANewerVersionOrMissingStillShowsTheTask() {
        dead("a", false);
        dead("b", false);
        redis.raw().hset(key("attempts"), "a", "2:whatever");
        redis.raw().hdel(key("attempts"), "b");
        redis.raw().hset(key("tasks"), "a", "\u0002whatever");

        Page page = get(store.shards().page(SHARD, PageRequest.dead(5).withContent(1000)));

        assertThat(page.tasks()).extracting(StoredTask::id).containsExactlyInAnyOrder("a", "b");
        assertThat(page.tasks()).allMatch(task -> task.dueAt().equals(task.nextAttentionAt()));
        assertThat(page.tasks().stream()
                        .filter(task -> task.id().equals("a"))
                        .findFirst()
                        .orElseThrow()
                        .content())
                .isNull();
    }

    @Test
    void redriveWhenANewerVersionWroteTheRecordChangesNothing() {
        dead("newer", false);
        redis.raw().hset(key("attempts"), "newer", "2:whatever");

        ShardRedrive nothing = changesNothing(() -> redrive("newer"));

        assertThat(nothing.verdicts()).containsExactly(false);
        assertThat(nothing.lastDueAt()).isNull();
    }

    @Test
    void redriveWhenTheEnvelopeIsGoneMakesTheTaskDeadAgain() {
        dead("a", false);
        redis.raw().hset(key("tasks"), "a", "");

        assertThat(redrive("a").verdicts()).containsExactly(true);

        assertThat(acquire(1).dead()).containsExactly(Map.entry("a", "envelope unreadable"));
    }

    @Test
    void forwardingWhenItsClaimFailsBetweenTwoBatchesHasDiscardedWhatWasAcknowledged() {
        for (String id : List.of("a", "b", "c")) {
            dead(id, false);
        }
        Duration silence = Duration.ofMillis(2);
        CollectingDestination destination = new CollectingDestination(delivery -> {
            switch (delivery.id()) {
                case "a" -> delivery.acknowledge();
                case "b" -> delivery.reject("no message");
                default -> {
                    redis.raw().del("dq:{orders}:forwarder");
                    redis.raw().rpush("dq:{orders}:forwarder", "foreign");
                    await().pollDelay(silence).until(() -> true);
                    delivery.release();
                }
            }
        });
        DeadForwarding forwarding = new Engine(
                        store, QueueLayouts.fixed(queue -> QueueLayout.initial(1)), new Scheduler(), EngineHooks.NONE)
                .deadForwarding(QueueSettings.withDefaults("orders"), destination, silence);

        assertThatExceptionOfType(TaskStoreCorruptException.class).isThrownBy(forwarding::run);

        assertThat(destination.ids()).containsExactly("a", "b", "c");
        assertThat(state().dead()).containsOnlyKeys("b", "c");
        assertThat(state().brokenInvariant()).isEmpty();
    }
}
