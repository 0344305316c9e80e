// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.delayqueue.CancelOutcome;
import io.delayqueue.ConflictPolicy;
import io.delayqueue.DueTime;
import io.delayqueue.delivery.TaskContent;
import io.delayqueue.internal.store.AcquireRequest;
import io.delayqueue.internal.store.AcquiredTask;
import io.delayqueue.internal.store.Acquisition;
import io.delayqueue.internal.store.LayoutStore;
import io.delayqueue.internal.store.LayoutVersion;
import io.delayqueue.internal.store.MigrationHold;
import io.delayqueue.internal.store.NewTask;
import io.delayqueue.internal.store.Shard;
import io.delayqueue.internal.store.WakeSignals;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/**
 * What is particular to stores in memory: a clock that stands still, listeners on the caller's thread, bytes of their
 * own.
 */
class InMemoryStoresTests {

    private static final Shard SHARD = new Shard("orders", 0);
    private static final Shard OTHER = new Shard("orders", 1);
    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    private final AtomicReference<Instant> clock = new AtomicReference<>(START);
    private final SharedMemory memory = new SharedMemory();
    private final InMemoryTaskStore store = new InMemoryTaskStore(memory, clock::get);
    private final LayoutStore layouts = store.layouts();

    private static NewTask task(String id, TaskContent content, int replicas) {
        return new NewTask(
                id, new byte[16], DueTime.after(Duration.ofHours(1)), ConflictPolicy.REPLACE, content, replicas);
    }

    private static TaskContent content() {
        return new TaskContent("text/plain", Map.of(), new byte[] {1, 2, 3});
    }

    private Acquisition acquire() {
        return store.leases()
                .acquire(SHARD, new AcquireRequest(10, Duration.ofSeconds(30), 3, 1 << 20, 10))
                .join();
    }

    @Test
    void acquireWhenTheClockStandsStillTakesATaskOnlyWhenItWasMovedToItsDueTime() {
        store.tasks().schedule(SHARD, List.of(task("a", content(), 0))).join();

        assertThat(acquire().untilNext()).isEqualTo(Duration.ofHours(1));
        clock.set(START.plus(Duration.ofHours(1)).minusNanos(1_000));
        assertThat(acquire().tasks()).isEmpty();
        clock.set(START.plus(Duration.ofHours(1)));

        assertThat(acquire().tasks()).extracting(AcquiredTask::id).containsExactly("a");
        assertThat(acquire().untilNext()).isEqualTo(Duration.ofSeconds(30));
    }

    @Test
    void takeInWhenATaskHasHeadersAndAShardKeyKeepsThem() {
        Map<String, String> headers = new LinkedHashMap<>();
        headers.put("z", "\u00fc:1");
        headers.put("a", "");
        TaskContent content = new TaskContent("x/y", headers, new byte[] {0, -1}, "customer 7");
        store.tasks().schedule(SHARD, List.of(task("a", content, 0))).join();

        MigrationHold held = store.migrations()
                .hold(SHARD, LayoutVersion.NONE, List.of("a"), Duration.ofSeconds(1), 1000)
                .join();
        assertThat(store.migrations()
                        .takeIn(OTHER, LayoutVersion.NONE, held.deadline(), held.token(), held.tasks())
                        .join())
                .isTrue();

        assertThat(store.tasks().find(OTHER, "a").join().orElseThrow().content())
                .usingRecursiveComparison()
                .isEqualTo(content);
    }

    @Test
    void takeInWhenAnotherKindOfStoreGaveTheBytesIsRefused() {
        MigrationHold.Item foreign = new MigrationHold.Item("a", false, 1, new byte[] {1, 'C'}, new byte[0]);

        assertThatIllegalArgumentException()
                .isThrownBy(() -> store.migrations()
                        .takeIn(OTHER, LayoutVersion.NONE, START.plusSeconds(1), 0, List.of(foreign)));
        assertThat(store.shards().stats(OTHER).join().live()).isZero();
    }

    @Test
    void callsWhenTheyAskForReplicasAreAnsweredAsThoughThatManyHadIt() {
        assertThat(store.tasks()
                        .schedule(SHARD, List.of(task("a", content(), 2)))
                        .join()
                        .get(0)
                        .replicas())
                .isEqualTo(2);
        assertThat(store.tasks().cancel(SHARD, LayoutVersion.NONE, "a", 2).join())
                .satisfies(answer -> assertThat(answer.answer()).isEqualTo(CancelOutcome.CANCELLED))
                .satisfies(answer -> assertThat(answer.replicas()).isEqualTo(2));
    }

    @Test
    void claimsWhenTheirTimeIsOverAreFree() {
        assertThat(layouts.claimMover("orders", "a", Duration.ofMinutes(1)).join())
                .isTrue();
        clock.set(START.plusSeconds(59));
        assertThat(layouts.claimMover("orders", "b", Duration.ofMinutes(1)).join())
                .isFalse();
        clock.set(START.plusSeconds(60));

        assertThat(layouts.claimMover("orders", "b", Duration.ofMinutes(1)).join())
                .isTrue();
    }

    @Test
    void shardKeysWhenNotedAreKnownToAllStoresOfTheMemory() {
        InMemoryTaskStore other = new InMemoryTaskStore(memory, clock::get);
        assertThat(other.layouts().usesShardKeys("orders", false).join()).isFalse();

        layouts.usesShardKeys("orders", true).join();

        assertThat(other.layouts().usesShardKeys("orders", false).join()).isTrue();
        assertThat(other.layouts().usesShardKeys("mails", false).join()).isFalse();
    }

    @Test
    void listenersWhenCalledMayWaitForOthersThatUseTheShard() {
        List<Boolean> found = new ArrayList<>();
        try (var registration = memory.wakeSignals().listen("orders", new Heard() {
            @Override
            public void wake(int shard) {
                found.add(CompletableFuture.supplyAsync(
                                () -> store.tasks().find(SHARD, "a").join().isPresent())
                        .orTimeout(10, java.util.concurrent.TimeUnit.SECONDS)
                        .join());
            }
        })) {
            assertThat(registration.arrive()).isTrue();
            store.tasks().schedule(SHARD, List.of(task("a", content(), 0))).join();
        }

        assertThat(found).containsExactly(true);
    }

    @Test
    void wakeSignalsWhenSomethingIsNewTellThoseWhoListenToTheQueue() {
        Heard first = new Heard();
        Heard second = new Heard();
        Heard mails = new Heard();
        WakeSignals.Registration one = memory.wakeSignals().listen("orders", first);
        WakeSignals.Registration two = memory.wakeSignals().listen("orders", second);
        memory.wakeSignals().listen("mails", mails);

        one.callForHelp(3);
        layouts.putLayout("orders", 0, 0, "4:4:").join();
        two.close();
        store.tasks().schedule(SHARD, List.of(task("a", content(), 0))).join();

        assertThat(first.news).containsExactly("layout", "wake 0");
        assertThat(second.news).containsExactly("help 3", "layout");
        assertThat(mails.news).isEmpty();
        assertThat(two.arrive()).isFalse();
    }

    private static class Heard implements WakeSignals.Listener {

        final List<String> news = new ArrayList<>();

        @Override
        public void wake(int shard) {
            news.add("wake " + shard);
        }

        @Override
        public void wakeAll() {
            news.add("all");
        }

        @Override
        public void layoutChanged() {
            news.add("layout");
        }

        @Override
        public void help(int shard) {
            news.add("help " + shard);
        }
    }
}
