// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.delayqueue.ConflictPolicy;
import io.delayqueue.EncodedPayload;
import io.delayqueue.InvalidTaskException;
import io.delayqueue.TaskContent;
import io.delayqueue.TaskState;
import io.delayqueue.UpdateOutcome;
import io.delayqueue.annotation.TaskHeaders;
import io.delayqueue.internal.calls.TaskMigratingException;
import io.delayqueue.internal.store.AcquiredTask;
import io.delayqueue.internal.store.DueCountsRequest;
import io.delayqueue.internal.store.MigrationHold;
import io.delayqueue.internal.store.NewTask;
import io.delayqueue.internal.store.Page;
import io.delayqueue.internal.store.PageRequest;
import io.delayqueue.internal.store.Position;
import io.delayqueue.internal.store.Settlement;
import io.delayqueue.internal.store.ShardDueKinds;
import io.delayqueue.internal.store.ShardingVersion;
import io.delayqueue.internal.store.StoreCalls;
import io.delayqueue.internal.store.StoredTask;
import io.delayqueue.internal.store.TaskUpdate;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Live tasks: reading them a page at a time, acting on those that wait, and giving one another payload. */
abstract class LiveContract extends StoreContract {

    private static final Position BEGIN = Position.from(Instant.EPOCH);

    LiveContract(ContractStore kept) {
        super(kept);
    }

    private static Instant moment(long millis) {
        return Instant.ofEpochMilli(millis);
    }

    private Page page(Position after, long before, String prefix, int limit, int looks) {
        PageRequest request =
                PageRequest.live(limit).after(after).before(moment(before)).withIdPrefix(prefix, looks);
        return get(store.shards().page(SHARD, request));
    }

    private List<String> pages(long from, long before, String prefix, int limit, int looks) {
        List<String> ids = new ArrayList<>();
        Position after = Position.from(moment(from));
        while (after != null) {
            Page page = page(after, before, prefix, limit, looks);
            assertThat(page.tasks()).hasSizeLessThanOrEqualTo(limit);
            page.tasks().forEach(task -> ids.add(task.id()));
            after = page.next();
        }
        return ids;
    }

    private UpdateOutcome update(String id, String payload) {
        return update(id, payload, "");
    }

    private UpdateOutcome update(String id, String payload, String type) {
        return get(StoreCalls.update(
                store,
                SHARD,
                ShardingVersion.NONE,
                id,
                new TaskUpdate(
                        new EncodedPayload("application/json", payload.getBytes(StandardCharsets.UTF_8)),
                        Map.of(TaskHeaders.TYPE, type, TaskHeaders.VERSION, ""))));
    }

    private MigrationHold hold(String id) {
        return get(store.migrations()
                .hold(SHARD, new ShardingVersion("1:3:2:2:1"), List.of(id), Duration.ofMinutes(1), 1 << 20));
    }

    @Test
    void pageWhenNothingIsThereIsEmpty() {
        assertThat(changesNothing(() -> page(BEGIN, now, "", 10, 10))).isEqualTo(new Page(List.of(), null));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 7, 500})
    void pageWhenTurnedShowsEachTaskOfTheWindowOnceInItsOrder(int limit) {
        for (int i = 0; i < 20; i++) {
            schedule((i % 2 == 0 ? "even-" : "odd-") + i, i, now + i / 2 * MINUTE);
        }
        List<String> all = IntStream.range(0, 20)
                .mapToObj(i -> (i % 2 == 0 ? "even-" : "odd-") + i)
                .toList();

        assertThat(pages(0, now + 60 * MINUTE, "", limit, 500)).isEqualTo(all);
        assertThat(pages(now + 2 * MINUTE, now + 4 * MINUTE, "", limit, 500)).isEqualTo(all.subList(4, 8));
        assertThat(pages(0, now + 60 * MINUTE, "odd-", limit, Math.max(limit, 3)))
                .isEqualTo(all.stream().filter(id -> id.startsWith("odd-")).toList());
    }

    @Test
    void pageWhenFewIdsBeginAsAskedForLooksAtNoMoreThanItMay() {
        IntStream.range(0, 20).forEach(i -> schedule("x" + i, i, now + i * MINUTE));
        schedule("y", 99, now + 30 * MINUTE);

        Page first = page(BEGIN, now + 60 * MINUTE, "y", 5, 5);

        assertThat(first.tasks()).isEmpty();
        assertThat(first.next()).isEqualTo(new Position(moment(now + 4 * MINUTE), "x4"));
        assertThat(pages(0, now + 60 * MINUTE, "y", 5, 5)).containsExactly("y");
    }

    @Test
    void pageWhenTheTaskAtWhichItEndedIsGoneGoesOnThere() {
        IntStream.range(0, 4).forEach(i -> schedule("t" + i, i, now + MINUTE));
        Page first = page(BEGIN, now + 60 * MINUTE, "", 2, 2);
        cancel("t1");

        assertThat(page(first.next(), now + 60 * MINUTE, "", 10, 10).tasks())
                .extracting(StoredTask::id)
                .containsExactly("t2", "t3");
    }

    @Test
    void pageWhenTasksAreLeasedOrHaveFailedTellsSo() {
        schedule("failed", 1, now - 2 * MINUTE);
        long token = lease("failed");
        settle(Settlement.retry("failed", token, Duration.ofMinutes(5), true, false, "no"));
        schedule("leased", 2, now - MINUTE);
        lease("leased");

        assertThat(page(BEGIN, now + 60 * MINUTE, "", 10, 10).tasks())
                .anySatisfy(task -> {
                    assertThat(task.id()).isEqualTo("leased");
                    assertThat(task.state()).isEqualTo(TaskState.LEASED);
                    assertThat(task.dueAt()).isEqualTo(moment(now - MINUTE));
                    assertThat(task.nextAttentionAt()).isAfter(moment(now));
                })
                .anySatisfy(task -> {
                    assertThat(task.id()).isEqualTo("failed");
                    assertThat(task.state()).isEqualTo(TaskState.SCHEDULED);
                    assertThat(task.dueAt()).isEqualTo(moment(now - 2 * MINUTE));
                    assertThat(task.failures()).isEqualTo(1);
                    assertThat(task.lastReason()).isEqualTo("no");
                })
                .hasSize(2);
    }

    @Test
    void updateWhenATaskIsOnItsWayToAnotherShardLeavesIt() {
        schedule("held", 1, now + MINUTE);
        hold("held");

        assertThatExceptionOfType(TaskMigratingException.class)
                .isThrownBy(() -> changesNothing(() -> update("held", "{}")));
    }

    @Test
    void updateWhenTheTaskWaitsKeepsAllButThePayload() {
        Map<String, String> headers = new LinkedHashMap<>();
        headers.put("long", "\u00e4".repeat(200));
        headers.put("", "");
        TaskContent content = new TaskContent("x/y", headers, new byte[300]);
        schedule(new NewTask("a", requestId(1), at(now + MINUTE), ConflictPolicy.REPLACE, content, 0));
        StoredTask before = get(store.tasks().find(SHARD, "a")).orElseThrow();
        ShardState state = state();

        assertThat(update("a", "{\"new\":1}")).isEqualTo(UpdateOutcome.UPDATED);

        StoredTask after = get(store.tasks().find(SHARD, "a")).orElseThrow();
        assertThat(after.taskKey()).isEqualTo(before.taskKey());
        assertThat(after.dueAt()).isEqualTo(before.dueAt());
        assertThat(after.content())
                .usingRecursiveComparison()
                .isEqualTo(
                        new TaskContent("application/json", headers, "{\"new\":1}".getBytes(StandardCharsets.UTF_8)));
        assertThat(state().index()).isEqualTo(state.index());
        assertThat(changesNothing(() -> update("a", "{\"new\":1}"))).isEqualTo(UpdateOutcome.UPDATED);
    }

    /** 127 headers are counted in one byte, 128 in two. */
    @Test
    void updateWhenThePayloadIsOfAnotherTypeChangesTheTypeOfTheTask() {
        Map<String, String> headers = new LinkedHashMap<>();
        for (int i = 0; i < 127; i++) {
            headers.put("header-" + i, "value");
        }
        TaskContent content = new TaskContent("x/y", headers, new byte[1]);
        schedule(new NewTask("a", requestId(1), at(now + MINUTE), ConflictPolicy.REPLACE, content, 0));

        for (String type : List.of("", "order.placed", "order.paid", "order.paid", "")) {
            assertThat(update("a", "{}", type)).isEqualTo(UpdateOutcome.UPDATED);

            Map<String, String> expected = new LinkedHashMap<>(headers);
            if (!type.isEmpty()) {
                expected.put("dq-type", type);
            }
            TaskContent after =
                    get(store.tasks().find(SHARD, "a")).orElseThrow().content();
            assertThat(after.headers()).isEqualTo(expected);
            assertThat(after.payload()).asString(StandardCharsets.UTF_8).isEqualTo("{}");
        }
        assertThat(update("a", "{}", "order.paid")).isEqualTo(UpdateOutcome.UPDATED);
        assertThat(changesNothing(() -> update("a", "{}", "order.paid"))).isEqualTo(UpdateOutcome.UPDATED);
    }

    private UpdateOutcome updateHeaders(int maxBytes, Map<String, String> headers) {
        TaskUpdate update = new TaskUpdate(null, headers);
        return get(store.tasks().update(SHARD, ShardingVersion.NONE, "a", update, maxBytes, 0))
                .answer();
    }

    @ParameterizedTest
    @ValueSource(strings = {"application/json", "x/y"})
    void updateWhenItHasOnlyHeadersSetsReplacesAndRemovesThemAndIsDelivered(String contentType) {
        Map<String, String> headers = new LinkedHashMap<>();
        headers.put(TaskHeaders.EXPIRES_AFTER, "60000");
        headers.put("tenant", "blue");
        headers.put("note", "x");
        headers.put("", "");
        headers.put("kept", "\u00e4".repeat(200));
        TaskContent content = new TaskContent(contentType, headers, "{}".getBytes(StandardCharsets.UTF_8));
        schedule(new NewTask("a", requestId(1), at(now + MINUTE), ConflictPolicy.REPLACE, content, 0));
        Map<String, String> changes = new LinkedHashMap<>();
        changes.put("new", "\u00e4".repeat(100));
        changes.put("note", "");
        changes.put("tenant", "red");
        changes.put("absent", "");

        assertThat(updateHeaders(1000, changes)).isEqualTo(UpdateOutcome.UPDATED);
        assertThat(changesNothing(() -> updateHeaders(1000, changes))).isEqualTo(UpdateOutcome.UPDATED);

        headers.remove("note");
        headers.put("tenant", "red");
        headers.put("new", "\u00e4".repeat(100));
        moveClock(MINUTE);
        TaskContent delivered = acquire(1).tasks().get(0).content();
        assertThat(delivered)
                .usingRecursiveComparison()
                .isEqualTo(new TaskContent(contentType, headers, content.payload()));
        assertThat(delivered.headers()).containsExactlyEntriesOf(headers);
    }

    /** Headers of the library do not count. */
    @Test
    void updateWhenTheHeadersWouldGrowAboveTheMaximumChangesNothing() {
        Map<String, String> headers = Map.of("tenant", "blue", "dq-window", "x".repeat(50));
        TaskContent content = new TaskContent("x/y", headers, new byte[1]);
        schedule(new NewTask("a", requestId(1), at(now + MINUTE), ConflictPolicy.REPLACE, content, 0));
        assertThat(updateHeaders(15, Map.of("note", "x", TaskHeaders.TYPE, "long")))
                .isEqualTo(UpdateOutcome.UPDATED);
        for (Map<String, String> more : List.of(Map.of("note", "xx"), Map.of("other", "x", "note", ""))) {
            assertThatExceptionOfType(InvalidTaskException.class)
                    .as("%s", more)
                    .isThrownBy(() -> changesNothing(() -> updateHeaders(15, more)))
                    .withMessageContaining("delayqueue.max-header-size");
        }
        assertThat(updateHeaders(0, Map.of("note", "y"))).isEqualTo(UpdateOutcome.UPDATED);
        assertThat(updateHeaders(0, Map.of("note", ""))).isEqualTo(UpdateOutcome.UPDATED);
    }

    @Test
    void updateWhenTheContentTypeIsAnyAndAnAttemptFailedIsDeliveredWithTheNextOne() {
        schedule("a", 1, now - MINUTE);
        long token = lease("a");
        settle(Settlement.retry("a", token, Duration.ofMinutes(5), true, false, "no"));

        assertThat(get(StoreCalls.update(
                        store,
                        SHARD,
                        ShardingVersion.NONE,
                        "a",
                        new TaskUpdate(new EncodedPayload("text/x-other", new byte[] {7}), Map.of()))))
                .isEqualTo(UpdateOutcome.UPDATED);

        moveClock(6 * MINUTE);
        AcquiredTask next = acquire(1).tasks().get(0);
        assertThat(next.failures()).isEqualTo(1);
        assertThat(next.content())
                .usingRecursiveComparison()
                .isEqualTo(new TaskContent("text/x-other", Map.of(), new byte[] {7}));
    }

    @Test
    void updateWhenTheTaskIsUnderDeliveryOrGoneChangesNothing() {
        schedule("a", 1, now - MINUTE);
        long token = lease("a");
        assertThat(changesNothing(() -> update("a", "{}"))).isEqualTo(UpdateOutcome.IN_FLIGHT);
        settle(Settlement.retry("a", token, Duration.ofMinutes(5), true, true, "no answer"));
        assertThat(changesNothing(() -> update("a", "{}"))).isEqualTo(UpdateOutcome.IN_FLIGHT);
        cancel("a");
        assertThat(changesNothing(() -> update("a", "{}"))).isEqualTo(UpdateOutcome.NOT_FOUND);
    }

    private List<Long> dueCounts(long from, long width, int slices) {
        return get(
                store.shards().dueCounts(SHARD, new DueCountsRequest(moment(from), Duration.ofMillis(width), slices)));
    }

    @Test
    void dueCountsWhenNothingIsThereAreZero() {
        assertThat(changesNothing(() -> dueCounts(now, MINUTE, 2))).containsExactly(0L, 0L, 0L, 0L);
    }

    @Test
    void dueCountsWhenTasksWaitCountEachOnceWithTheFirstMomentOfItsSlice() {
        schedule("overdue", 1, now - 1);
        schedule("at-the-beginning", 2, now);
        schedule("in-the-first", 3, now + MINUTE - 1);
        schedule("in-the-second", 4, now + MINUTE);
        schedule("behind", 5, now + 2 * MINUTE);
        schedule("far-behind", 6, now + 9 * MINUTE);

        assertThat(changesNothing(() -> dueCounts(now, MINUTE, 2))).containsExactly(1L, 2L, 1L, 2L);
        assertThat(dueCounts(now, 1, 500)).hasSize(502).startsWith(1L, 1L, 0L).endsWith(0L, 4L);
    }

    @Test
    void dueCountsWhenATaskIsLeasedCountItByTheEndOfItsLease() {
        schedule("a", 1, now - MINUTE);
        lease("a");

        assertThat(dueCounts(now, 60 * MINUTE, 1)).containsExactly(0L, 1L, 0L);
    }

    @Test
    void dueKindsTellLeasesAndRetriesFromTasksThatWait() {
        schedule("waits", 1, now + MINUTE);
        schedule("fails", 2, now - MINUTE);
        settle(Settlement.retry("fails", lease("fails"), Duration.ofMinutes(5), true, false, "no"));
        schedule("postponed", 4, now - MINUTE);
        settle(Settlement.retry("postponed", lease("postponed"), Duration.ofMinutes(5), false, false, "not now"));
        schedule("leased", 3, now - MINUTE);
        lease("leased");
        DueCountsRequest window = new DueCountsRequest(moment(now), Duration.ofMillis(MINUTE), 120);

        ShardDueKinds kinds = changesNothing(() -> get(store.shards().dueKinds(SHARD, window, ShardDueKinds.BEGIN)));

        assertThat(sum(kinds.retried())).isEqualTo(1);
        assertThat(kinds.retried().get(0)).isZero();
        assertThat(sum(kinds.leased())).isEqualTo(1);
        assertThat(kinds.allLeases()).isTrue();
        assertThat(kinds.cursor()).isEqualTo(ShardDueKinds.BEGIN);
    }

    private static long sum(List<Long> counts) {
        return counts.stream().mapToLong(Long::longValue).sum();
    }
}
