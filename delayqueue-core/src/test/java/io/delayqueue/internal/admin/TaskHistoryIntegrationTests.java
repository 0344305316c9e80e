// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.admin;

import static io.delayqueue.TestRequests.requestTo;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.delayqueue.Due;
import io.delayqueue.HistoryEntry;
import io.delayqueue.RescheduleOutcome;
import io.delayqueue.UnknownQueueException;
import io.delayqueue.internal.client.DelayQueueTemplate;
import io.delayqueue.internal.codec.PayloadCodecs;
import io.delayqueue.internal.queue.QueueCatalog;
import io.delayqueue.internal.queue.QueueSettingsBuilder;
import io.delayqueue.internal.queue.TaskBounds;
import io.delayqueue.internal.redis.StoreFixture;
import io.delayqueue.internal.store.Shard;
import io.delayqueue.internal.store.StoreCalls;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What became of tasks, by the histories of all shards. */
class TaskHistoryIntegrationTests {

    private static final String QUEUE = "told";

    private final StoreFixture redis = new StoreFixture();
    private final QueueCatalog queues = keeping(RedriveProcess.queues(QUEUE, 2));
    private final TaskStoreAdmin admin = redis.admin(queues);

    @AfterEach
    void close() {
        redis.close();
    }

    private static QueueCatalog keeping(QueueCatalog queues) {
        return new QueueCatalog(
                List.of(QueueSettingsBuilder.of(queues.get(QUEUE)).history(200).build()));
    }

    private DelayQueueTemplate template(int shards) {
        return new DelayQueueTemplate(
                redis.store(), RedriveProcess.queues(QUEUE, shards), new PayloadCodecs(List.of()), TaskBounds.DEFAULT);
    }

    private void cancelOne(int shards, String id) {
        DelayQueueTemplate template = template(shards);
        template.schedule(requestTo(QUEUE, id, "x", Duration.ofHours(1)));
        template.cancel(QUEUE, id);
    }

    @Test
    void historyWhenTheQueueHadMoreShardsBeforeIsThatOfAll() {
        List<String> ids = IntStream.range(0, 60).mapToObj(i -> "t" + i).toList();
        ids.forEach(id -> cancelOne(5, id));

        assertThat(ids)
                .allSatisfy(id -> assertThat(admin.history(QUEUE, id))
                        .extracting(HistoryEntry::event)
                        .containsExactly("cancelled"));
        assertThat(admin.history(QUEUE, "unknown")).isEmpty();
    }

    @Test
    void historyWhenATaskChangedItsShardIsInTheOrderOfTime() {
        for (int shard : new int[] {1, 4, 0, 2, 3}) {
            Shard one = new Shard(QUEUE, shard);
            StoreCalls.schedule(redis.store(), one, List.of(redis.task("a"))).join();
            Instant due = Instant.parse("2100-01-01T00:00:00Z").plusSeconds(shard);
            assertThat(StoreCalls.reschedule(redis.store(), one, "a", Due.at(due))
                            .join())
                    .isEqualTo(RescheduleOutcome.RESCHEDULED);
            long then = redis.serverMillis();
            while (redis.serverMillis() == then) {
                Thread.onSpinWait();
            }
        }

        assertThat(admin.history(QUEUE, "a"))
                .extracting(HistoryEntry::reason)
                .containsExactly(
                        "to 2100-01-01T00:00:01Z",
                        "to 2100-01-01T00:00:04Z",
                        "to 2100-01-01T00:00:00Z",
                        "to 2100-01-01T00:00:02Z",
                        "to 2100-01-01T00:00:03Z");
    }

    @Test
    void historyWhenOfOneTaskIsLongIsTheNewestHundred() {
        Shard one = new Shard(QUEUE, 0);
        StoreCalls.schedule(redis.store(), one, List.of(redis.task("a"))).join();
        Instant far = Instant.parse("2100-01-01T00:00:00Z");
        for (int i = 0; i < 150; i++) {
            StoreCalls.reschedule(redis.store(), one, "a", Due.at(far.plusSeconds(i)))
                    .join();
        }

        List<HistoryEntry> history = admin.history(QUEUE, "a");

        assertThat(history).hasSize(100);
        assertThat(history.get(0).reason()).isEqualTo("to " + far.plusSeconds(50));
        assertThat(history.get(99).reason()).isEqualTo("to " + far.plusSeconds(149));
    }

    @Test
    void historyWhenTheQueueIsUnknownOrHasNoneSaysSo() {
        assertThatExceptionOfType(UnknownQueueException.class).isThrownBy(() -> admin.history("unknown", "a"));
        QueueCatalog silent = RedriveProcess.queues("orders", 2);
        assertThat(redis.admin(silent).history("orders", "a")).isEmpty();
    }

    /**
     * Finds entries of other processes, and of this process with other settings. If there are none, this takes one
     * call.
     */
    @Test
    void historyWhenTheSettingIsOffIsLookedForInTheShardOfTheIdFirst() {
        TaskStoreAdmin silent = redis.admin(RedriveProcess.queues(QUEUE, 8));
        silent.history(QUEUE, "b"); // the server has the script from now on
        assertThat(callsOf(() -> assertThat(silent.history(QUEUE, "a")).isEmpty()))
                .isEqualTo(1);

        cancelOne(8, "a");

        assertThat(silent.history(QUEUE, "a")).extracting(HistoryEntry::event).containsExactly("cancelled");
    }

    private long callsOf(Runnable step) {
        long before = redis.scriptCalls();
        step.run();
        return redis.scriptCalls() - before;
    }
}
