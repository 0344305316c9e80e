// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.sharding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.delayqueue.CancelOutcome;
import io.delayqueue.Due;
import io.delayqueue.GroupPartlyChangedException;
import io.delayqueue.GroupResult;
import io.delayqueue.InvalidTaskException;
import io.delayqueue.KeyedQueue;
import io.delayqueue.ListedTask;
import io.delayqueue.RescheduleOutcome;
import io.delayqueue.ScheduleRequest;
import io.delayqueue.TaskGroup;
import io.delayqueue.TaskIds;
import io.delayqueue.TaskPage;
import io.delayqueue.TaskStoreException;
import io.delayqueue.TaskStoreTimeoutException;
import io.delayqueue.codec.JacksonPayloadCodec;
import io.delayqueue.internal.admin.RedriveProcess;
import io.delayqueue.internal.admin.TaskStoreAdmin;
import io.delayqueue.internal.client.ClientOptions;
import io.delayqueue.internal.client.DelayQueueTemplate;
import io.delayqueue.internal.codec.PayloadCodecs;
import io.delayqueue.internal.concurrent.Scheduler;
import io.delayqueue.internal.queue.QueueCatalog;
import io.delayqueue.internal.queue.TaskBounds;
import io.delayqueue.internal.redis.StoreFixture;
import io.delayqueue.internal.store.GroupStore;
import io.delayqueue.internal.store.InterceptedStore;
import io.delayqueue.internal.store.TaskStore;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.json.JsonMapper;

/** An application's calls on a group, without and during a change of the number of shards. */
class GroupsIntegrationTests {

    private static final String QUEUE = "orders";
    private static final Instant DUE = Instant.parse("2100-01-01T00:00:00Z");

    private final StoreFixture redis = new StoreFixture();
    private final TaskStore store = redis.store();
    private final QueueCatalog queues = RedriveProcess.queues(QUEUE, 2);
    private final Shardings shardings = new Shardings(store.shardings(), queues, new Scheduler());
    private final DelayQueueTemplate template = template(store);
    private final TaskStoreAdmin admin = new TaskStoreAdmin(store, queues, shardings, new Resharding(store, shardings));
    private final ShardMigrations migrations =
            new ShardMigrations(store, shardings, new Scheduler().worker(), Duration.ofMillis(100));

    @AfterEach
    void close() {
        migrations.close();
        shardings.close();
        redis.close();
    }

    private DelayQueueTemplate template(TaskStore over) {
        return new DelayQueueTemplate(
                over,
                queues,
                shardings,
                new PayloadCodecs(List.of(new JacksonPayloadCodec(new JsonMapper()))),
                TaskBounds.DEFAULT,
                ClientOptions.DEFAULT);
    }

    private static ScheduleRequest<?> request(String group, String id) {
        return ScheduleRequest.to(QUEUE)
                .group(group)
                .id(id)
                .payload("x")
                .dueAt(DUE)
                .build();
    }

    private void schedule(String group, int tasks) {
        List<? extends ScheduleRequest<?>> requests = IntStream.range(0, tasks)
                .mapToObj(i -> request(group, "t%05d".formatted(i)))
                .toList();
        // The same requests again, for what a busy machine did not answer in time.
        await().atMost(Duration.ofSeconds(20))
                .untilAsserted(() -> assertThat(template.scheduleAll(requests)).hasSameSizeAs(requests));
    }

    private static List<ListedTask> all(TaskGroup group) {
        List<ListedTask> tasks = new ArrayList<>();
        String position = "";
        while (position != null) {
            TaskPage<ListedTask> some = group.list(position);
            tasks.addAll(some.content());
            position = some.position();
        }
        return tasks;
    }

    @Test
    void groupWhenItsTasksAreScheduledCountsListsAndChangesThem() {
        template.schedule(request("order:42", "reminder"));
        template.schedule(request("order:42", "timeout"));
        template.schedule(request("order:43", "timeout"));
        TaskGroup group = template.group(QUEUE, "order:42");

        assertThat(request("order:42", "reminder").id()).isEqualTo("{order:42}~reminder");
        assertThat(request("order:42", "reminder").group()).contains("order:42");
        assertThat(group.count()).isEqualTo(2);
        assertThat(group.list().content())
                .extracting(ListedTask::id)
                .containsExactly("{order:42}~reminder", "{order:42}~timeout");
        assertThat(group.shift(Duration.ofDays(1))).isEqualTo(new GroupResult(2, List.of(), 0, 1));
        assertThat(all(group)).allMatch(task -> task.dueAt().equals(DUE.plus(Duration.ofDays(1))));
        assertThat(group.reschedule(Due.at(DUE.minusSeconds(1))).isAtomic()).isTrue();
        assertThat(all(group)).allMatch(task -> task.dueAt().equals(DUE.minusSeconds(1)));
        assertThat(template.find(QUEUE, "{order:42}~timeout")).isPresent();
        assertThat(template.queue(QUEUE, String.class).group("order:42").cancel())
                .isEqualTo(new GroupResult(2, List.of(), 0, 1));
        assertThat(group.count()).isZero();
        assertThat(template.group(QUEUE, "order:43").count()).isEqualTo(1);
    }

    @Test
    void callWhenItMissesAPlainIdInAQueueWithGroupsHintsOnceAtTheGroup() {
        ListAppender<ILoggingEvent> log = new ListAppender<>();
        log.start();
        Logger logger = (Logger) LoggerFactory.getLogger(GroupHint.class);
        logger.addAppender(log);
        try {
            assertThat(template.cancel(QUEUE, "reminder")).isEqualTo(CancelOutcome.NOT_FOUND);
            assertThat(log.list).isEmpty();
            template.schedule(request("order:42", "reminder"));
            assertThat(template.cancel(QUEUE, TaskIds.inGroup("order:43", "reminder")))
                    .isEqualTo(CancelOutcome.NOT_FOUND);
            assertThat(log.list).isEmpty();

            assertThat(template.cancel(QUEUE, "reminder")).isEqualTo(CancelOutcome.NOT_FOUND);
            assertThat(template.find(QUEUE, "reminder")).isEmpty();
        } finally {
            logger.detachAppender(log);
        }

        assertThat(log.list)
                .extracting(ILoggingEvent::getFormattedMessage)
                .singleElement()
                .asString()
                .contains(QUEUE, "'reminder'", "group(name).task(id)");
        assertThat(template.group(QUEUE, "order:42").task("reminder").cancel()).isEqualTo(CancelOutcome.CANCELLED);
    }

    @Test
    void groupWhenItIsLargeIsChangedInStepsThatTheResultCounts() {
        schedule("g", 2_100);
        schedule("h", 10);
        TaskGroup group = template.group(QUEUE, "g");

        GroupResult shifted = group.shift(Duration.ofMillis(1));

        assertThat(shifted.changed()).isEqualTo(2_100);
        assertThat(shifted.steps()).isBetween(5, 6);
        assertThat(shifted.isAtomic()).isFalse();
        assertThat(group.count()).isEqualTo(2_100);
        assertThat(all(group)).hasSize(2_100).allMatch(task -> task.dueAt().equals(DUE.plusMillis(1)));
        assertThat(group.cancel().changed()).isEqualTo(2_100);
        assertThat(all(group)).isEmpty();
        assertThat(template.group(QUEUE, "h").count()).isEqualTo(10);
    }

    /** The third step runs, and its answer is lost. */
    @Test
    void shiftWhenAnAnswerIsLostGoesOnAndMovesEachTaskOnce() {
        schedule("g", 2_000);
        AtomicInteger steps = new AtomicInteger();
        TaskStore lossy = InterceptedStore.around(store, (target, method, arguments) -> {
            Object answer = method.invoke(target, arguments);
            boolean isLost = target instanceof GroupStore && steps.incrementAndGet() == 3;
            return isLost
                    ? ((CompletableFuture<?>) answer)
                            .thenCompose(done ->
                                    CompletableFuture.failedFuture(new TaskStoreTimeoutException("lost", true, null)))
                    : answer;
        });
        TaskGroup group = template(lossy).group(QUEUE, "g");

        GroupPartlyChangedException[] lost = new GroupPartlyChangedException[1];
        assertThatExceptionOfType(GroupPartlyChangedException.class)
                .isThrownBy(() -> group.shift(Duration.ofHours(1)))
                .satisfies(ex -> lost[0] = ex);
        assertThat((Throwable) lost[0])
                .as("a retry of what may not have been carried out would shift tasks twice")
                .isNotInstanceOf(TaskStoreException.class)
                .hasCauseInstanceOf(TaskStoreTimeoutException.class)
                .hasMessageContaining("Call resume");
        assertThat(lost[0].done().steps()).isEqualTo(2);
        assertThat(lost[0].done().changed()).isLessThanOrEqualTo(1_000);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> template.group(QUEUE, "h").resume(lost[0].resumption()))
                .withMessageContaining("not one of this group");
        GroupResult rest = group.resume(lost[0].resumption());

        assertThat(lost[0].done().changed() + rest.changed()).isEqualTo(2_000);
        assertThat(all(group)).hasSize(2_000).allMatch(task -> task.dueAt().equals(DUE.plus(Duration.ofHours(1))));
        assertThatIllegalArgumentException().isThrownBy(() -> group.resume("SHIFT it"));
        assertThatIllegalArgumentException().isThrownBy(() -> group.list("{"));
    }

    @Test
    void groupWhenTheNumberOfShardsChangesIsWholeAtEachMoment() {
        List<String> groups = IntStream.range(0, 12).mapToObj(i -> "order:" + i).toList();
        groups.forEach(group -> schedule(group, 40));
        Scheduler.Scheduled watch = migrations.watch(QUEUE);

        admin.reshard(QUEUE, 5);

        for (String group : groups) {
            assertThat(template.group(QUEUE, group).count()).as(group).isEqualTo(40);
            assertThat(all(template.group(QUEUE, group))).as(group).hasSize(40);
        }
        for (String group : groups.subList(0, 6)) {
            assertThat(template.group(QUEUE, group).cancel().changed())
                    .as(group)
                    .isBetween(40L, 80L);
            assertThat(template.group(QUEUE, group).count()).as(group).isZero();
        }
        await().atMost(Duration.ofSeconds(20))
                .until(() -> !admin.sharding(QUEUE).isMigrating());
        for (String group : groups.subList(6, 12)) {
            assertThat(template.group(QUEUE, group).shift(Duration.ofDays(1)).changed())
                    .as(group)
                    .isEqualTo(40);
            assertThat(all(template.group(QUEUE, group)))
                    .as(group)
                    .hasSize(40)
                    .allMatch(task -> task.dueAt().equals(DUE.plus(Duration.ofDays(1))));
        }
        assertThat(admin.stats(QUEUE).delayed()).isEqualTo(6 * 40);
        watch.cancel();
    }

    @Test
    void groupWhenItHasAKeyIsAnotherGroupThanTheSameOfAnotherKeyOrNone() {
        template.schedule(request("a}%~", "one"));
        for (String key : List.of("clinic-17", "clinic-18", "a}%~")) {
            for (String id : List.of("one", "two")) {
                template.schedule(ScheduleRequest.to(QUEUE)
                        .key(key)
                        .group("a}%~")
                        .id(id)
                        .payload("x")
                        .dueAt(DUE)
                        .build());
            }
            template.schedule(ScheduleRequest.to(QUEUE)
                    .key(key)
                    .id("one")
                    .payload("x")
                    .dueAt(DUE)
                    .build());
        }
        KeyedQueue clinic = template.queue(QUEUE, String.class).key("clinic-17");
        TaskGroup group = clinic.group("a}%~");

        assertThat(group.key()).contains("clinic-17");
        assertThat(group.name()).isEqualTo("a}%~");
        assertThat(group.count()).isEqualTo(2);
        assertThat(group.list().content())
                .extracting(ListedTask::id)
                .containsExactly("{clinic-17}:{a%7D%25~}~one", "{clinic-17}:{a%7D%25~}~two");
        assertThat(group.task("one").find(String.class)).isPresent();
        assertThat(group.reschedule(Due.at(DUE.plusSeconds(1))).changed()).isEqualTo(2);
        assertThat(group.task("one").reschedule(Due.at(DUE))).isEqualTo(RescheduleOutcome.RESCHEDULED);
        assertThat(group.cancel()).isEqualTo(new GroupResult(2, List.of(), 0, 1));
        assertThat(group.count()).isZero();
        assertThat(clinic.task("one").cancel()).isEqualTo(CancelOutcome.CANCELLED);
        assertThat(clinic.task("one").cancel()).isEqualTo(CancelOutcome.NOT_FOUND);
        assertThat(template.key(QUEUE, "clinic-18").group("a}%~").count()).isEqualTo(2);
        assertThat(template.key(QUEUE, "a}%~").group("a}%~").count()).isEqualTo(2);
        assertThat(template.group(QUEUE, "a}%~").count()).isEqualTo(1);
        assertThat(template.key(QUEUE, "clinic-18").task("one").find(String.class))
                .hasValueSatisfying(task -> assertThat(task.id()).isEqualTo("{clinic-18}:one"));
    }

    @Test
    void groupWhenItsNameCannotBeIsRefused() {
        assertThatExceptionOfType(InvalidTaskException.class).isThrownBy(() -> template.group(QUEUE, ""));
        assertThatExceptionOfType(InvalidTaskException.class)
                .isThrownBy(() -> template.key(QUEUE, "a").group(""));
        assertThatExceptionOfType(InvalidTaskException.class).isThrownBy(() -> template.group(QUEUE, "a\n"));
    }
}
