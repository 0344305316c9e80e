// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.trigger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delayqueue.BadInput;
import io.delayqueue.BadInput.Case;
import io.delayqueue.CancelOutcome;
import io.delayqueue.Due;
import io.delayqueue.ListedTask;
import io.delayqueue.RescheduleOutcome;
import io.delayqueue.ScheduleOutcome;
import io.delayqueue.ScheduleRequest;
import io.delayqueue.TaskGroup;
import io.delayqueue.TaskIds;
import io.delayqueue.UpdateOutcome;
import io.delayqueue.admin.TaskQuery;
import io.delayqueue.delivery.Outcome;
import io.delayqueue.internal.admin.TaskStoreAdmin;
import io.delayqueue.internal.client.DelayQueueTemplate;
import io.delayqueue.internal.engine.CollectingDestination;
import io.delayqueue.internal.input.UnicodeText;
import io.delayqueue.internal.store.Shard;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Ids with spaces, umlauts, emoji and characters that mean something elsewhere: stored, found, changed and delivered.
 */
class OddIdsIntegrationTests {

    private static final String QUEUE = TriggerFixture.QUEUE;
    private static final Duration HOUR = Duration.ofHours(1);
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private final TriggerFixture fixture = new TriggerFixture();
    private DelayQueueTemplate template;
    private TaskStoreAdmin admin;

    @BeforeEach
    void open() {
        fixture.shards = 4;
        fixture.maxIdleInterval = Duration.ofMillis(50);
        template = fixture.template();
        admin = fixture.redis.admin(fixture.queues());
    }

    @AfterEach
    void close() {
        for (int i = 0; i < fixture.shards; i++) {
            assertThat(fixture.redis.brokenInvariant(new Shard(QUEUE, i))).isEmpty();
        }
        fixture.close();
    }

    static List<Case<String>> ids() {
        return BadInput.oddIds().toList();
    }

    private static ScheduleRequest.Builder<Object> request(String id) {
        return ScheduleRequest.to(QUEUE).id(id).payload("x").dueIn(HOUR);
    }

    @ParameterizedTest
    @MethodSource("ids")
    void callsWhenAnIdIsOddReachItsTask(Case<String> odd) {
        String id = odd.input();

        assertThat(template.schedule(request(id).build()).outcome()).isEqualTo(ScheduleOutcome.CREATED);

        assertThat(template.find(QUEUE, id, String.class).orElseThrow().id()).isEqualTo(id);
        assertThat(template.reschedule(QUEUE, id, Due.after(HOUR.multipliedBy(2))))
                .isEqualTo(RescheduleOutcome.RESCHEDULED);
        assertThat(template.updatePayload(QUEUE, id, "y")).isEqualTo(UpdateOutcome.UPDATED);
        assertThat(template.cancelEverywhere(id)).containsEntry(QUEUE, CancelOutcome.CANCELLED);
        assertThat(admin.stats(QUEUE).delayed()).isZero();
    }

    @ParameterizedTest
    @MethodSource("ids")
    void callsWhenAGroupAndItsIdsAreOddReachItsTasks(Case<String> odd) {
        if (odd.input().contains("}") || odd.input().length() > 60) {
            return; // no name of a group
        }
        TaskGroup group = template.group(QUEUE, odd.input());
        List<String> ids =
                ids().stream().map(Case::input).filter(id -> id.length() < 60).toList();
        template.scheduleAll(
                ids.stream().map(id -> request(id).group(odd.input()).build()).toList());
        template.schedule(request("other").group(odd.input() + "x").build());

        assertThat(group.count()).isEqualTo(ids.size());
        assertThat(group.list().content())
                .extracting(ListedTask::id)
                .containsExactlyInAnyOrderElementsOf(
                        ids.stream().map(id -> TaskIds.inGroup(odd.input(), id)).toList());
        assertThat(group.shift(HOUR).changed()).isEqualTo(ids.size());
        assertThat(group.cancel().changed()).isEqualTo(ids.size());
        assertThat(admin.stats(QUEUE).delayed()).isEqualTo(1);
    }

    @Test
    void triggerWhenIdsAreOddDeliversEachOnce() {
        List<String> ids = ids().stream().map(Case::input).toList();
        template.scheduleAll(
                ids.stream().map(id -> request(id).dueIn(Duration.ZERO).build()).toList());
        CollectingDestination destination = CollectingDestination.acknowledging();

        fixture.start(destination);

        await().atMost(PATIENCE).until(() -> destination.ids().size() >= ids.size());
        assertThat(destination.ids()).containsExactlyInAnyOrderElementsOf(ids);
    }

    @Test
    void adminWhenIdsOfDeadTasksAreOddListsRedrivesAndDiscardsThem() {
        List<String> ids = ids().stream().map(Case::input).toList();
        template.scheduleAll(
                ids.stream().map(id -> request(id).dueIn(Duration.ZERO).build()).toList());
        ScanTrigger trigger = fixture.start(new CollectingDestination(delivery -> delivery.settle(Outcome.dead("no"))));
        await().atMost(PATIENCE).until(() -> admin.stats(QUEUE).dead() == ids.size());
        trigger.stop();

        List<String> listed = admin.deadTasks(QUEUE, TaskQuery.first(500)).content().stream()
                .map(ListedTask::id)
                .toList();

        assertThat(listed).containsExactlyInAnyOrderElementsOf(ids);
        int half = ids.size() / 2;
        for (String id : ids.subList(0, half)) {
            assertThat(admin.redrive(QUEUE, id)).as(id).isTrue();
        }
        assertThat(admin.discard(QUEUE, ids.subList(half, ids.size()))).isEqualTo(ids.size() - half);
        assertThat(admin.stats(QUEUE).dead()).isZero();
    }

    /** The ids that the scripts accept are those that can be scheduled. In Latin-1, each character is a byte. */
    @Test
    void triggerWhenIdsAreRandomBytesDeliversThoseThatCouldBeScheduled() {
        fixture.shards = 1;
        Shard shard = new Shard(QUEUE, 0);
        long past = fixture.redis.serverMillis() - 60_000;
        Set<String> good = new HashSet<>();
        Set<String> bad = new HashSet<>();
        Random random = new Random(42);
        for (int i = 0; i < 4000; i++) {
            String bytes = i % 2 == 0 ? randomCharacter(random) : randomBytes(random);
            boolean isGood = isText(bytes) && !text(bytes).isBlank() && UnicodeText.isLine(text(bytes));
            (isGood ? good : bad).add(bytes);
            fixture.redis.put(shard, "tasks", bytes, "\u0001C0123456789abcdef\u0001\u0000{}");
            fixture.redis.put(shard, "index", bytes, past);
        }
        CollectingDestination destination = CollectingDestination.acknowledging();

        fixture.start(destination);

        await().atMost(PATIENCE).until(() -> fixture.redis.index(shard).isEmpty());
        assertThat(good).hasSizeGreaterThan(500);
        assertThat(bad).hasSizeGreaterThan(500);
        assertThat(Set.copyOf(destination.ids()))
                .isEqualTo(good.stream().map(OddIdsIntegrationTests::text).collect(Collectors.toSet()));
        assertThat(fixture.redis.dead(shard))
                .isEqualTo(bad.stream().collect(Collectors.toMap(id -> id, id -> "id unusable")));
    }

    /** One character, more often near the borders of what is allowed. */
    private static String randomCharacter(Random random) {
        int[] borders = {0x20, 0x7f, 0xa0, 0x800, 0x2028, 0x202e, 0x2066, 0x2069, 0xd800, 0xe000, 0x10000, 0x10ffff};
        int c = random.nextBoolean()
                ? random.nextInt(Character.MAX_CODE_POINT + 1)
                : Math.min(
                        Character.MAX_CODE_POINT,
                        Math.max(0, borders[random.nextInt(borders.length)] + random.nextInt(33) - 16));
        String text = Character.getType(c) == Character.SURROGATE ? "a" : "a" + Character.toString(c);
        return new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
    }

    private static String randomBytes(Random random) {
        byte[] leads = {
            'a',
            (byte) 0xc2,
            (byte) 0xdf,
            (byte) 0xe0,
            (byte) 0xe2,
            (byte) 0xed,
            (byte) 0xef,
            (byte) 0xf0,
            (byte) 0xf4,
            (byte) 0xf5
        };
        byte[] bytes = new byte[1 + random.nextInt(5)];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = i == 0 ? leads[random.nextInt(leads.length)] : (byte) (0x80 + random.nextInt(0x42));
        }
        return new String(bytes, StandardCharsets.ISO_8859_1);
    }

    private static boolean isText(String latin1) {
        byte[] bytes = latin1.getBytes(StandardCharsets.ISO_8859_1);
        return Arrays.equals(bytes, text(latin1).getBytes(StandardCharsets.UTF_8));
    }

    private static String text(String latin1) {
        return new String(latin1.getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8);
    }
}
