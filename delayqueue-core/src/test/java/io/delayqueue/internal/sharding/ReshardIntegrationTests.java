// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.sharding;

import static io.delayqueue.TestRequests.requestTo;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import io.delayqueue.BatchFailedException;
import io.delayqueue.CancelOutcome;
import io.delayqueue.ConflictPolicy;
import io.delayqueue.Due;
import io.delayqueue.FoundTask;
import io.delayqueue.RescheduleOutcome;
import io.delayqueue.ScheduleOutcome;
import io.delayqueue.ScheduleRequest;
import io.delayqueue.ScheduleResult;
import io.delayqueue.TaskIds;
import io.delayqueue.TaskState;
import io.delayqueue.TaskStoreException;
import io.delayqueue.TaskStoreUnavailableException;
import io.delayqueue.admin.KeyLimits;
import io.delayqueue.admin.PurgeResult;
import io.delayqueue.admin.QueueSharding;
import io.delayqueue.admin.ReshardException;
import io.delayqueue.codec.JacksonPayloadCodec;
import io.delayqueue.internal.admin.RedriveProcess;
import io.delayqueue.internal.admin.TaskStoreAdmin;
import io.delayqueue.internal.calls.ShardingChangedException;
import io.delayqueue.internal.client.ClientOptions;
import io.delayqueue.internal.client.DelayQueueTemplate;
import io.delayqueue.internal.codec.PayloadCodecs;
import io.delayqueue.internal.concurrent.Scheduler;
import io.delayqueue.internal.queue.QueueCatalog;
import io.delayqueue.internal.queue.TaskBounds;
import io.delayqueue.internal.redis.StoreFixture;
import io.delayqueue.internal.store.AcquireRequest;
import io.delayqueue.internal.store.AcquiredTask;
import io.delayqueue.internal.store.Acquires;
import io.delayqueue.internal.store.Acquisition;
import io.delayqueue.internal.store.InterceptedStore;
import io.delayqueue.internal.store.KeyLimitsChange;
import io.delayqueue.internal.store.MigrationHold;
import io.delayqueue.internal.store.MigrationPage;
import io.delayqueue.internal.store.MigrationStore;
import io.delayqueue.internal.store.Settlement;
import io.delayqueue.internal.store.Shard;
import io.delayqueue.internal.store.ShardingVersion;
import io.delayqueue.internal.store.StoreCalls;
import io.delayqueue.internal.store.TaskStore;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.json.JsonMapper;

/** The number of shards changes while tasks wait and processes run. */
class ReshardIntegrationTests {

    private static final String QUEUE = "orders";
    private static final Duration LONG = Duration.ofHours(1);

    private final StoreFixture redis = new StoreFixture();
    private final TaskStore store = redis.store();
    private final QueueCatalog queues = RedriveProcess.queues(QUEUE, 1);
    private final Shardings shardings = new Shardings(store.shardings(), queues, new Scheduler());
    private final DelayQueueTemplate template = template(shardings);
    private final Resharding resharding = new Resharding(store, shardings);
    private final TaskStoreAdmin admin = new TaskStoreAdmin(store, queues, shardings, resharding);
    private final ShardMigrations migrations =
            new ShardMigrations(store, shardings, new Scheduler().worker(), Duration.ofMillis(100));
    /** The number of deliveries by id. */
    private final Map<String, Integer> delivered = new ConcurrentHashMap<>();

    @AfterEach
    void close() {
        migrations.close();
        shardings.close();
        redis.close();
    }

    private DelayQueueTemplate template(Shardings known) {
        return new DelayQueueTemplate(
                store,
                queues,
                known,
                new PayloadCodecs(List.of(new JacksonPayloadCodec(new JsonMapper()))),
                TaskBounds.DEFAULT,
                ClientOptions.DEFAULT);
    }

    /** Returns the template of a process that does not know of any change. */
    private DelayQueueTemplate staleTemplate() {
        return template(Shardings.fixed(queues));
    }

    private static ScheduleRequest.Builder<Object> request(String id, Duration delay) {
        return ScheduleRequest.to(QUEUE).id(id).payload("x").dueIn(delay);
    }

    private void schedule(String id, Duration delay) {
        template.schedule(request(id, delay).build());
    }

    /** Delivers what is due once, in every shard that may hold a task. */
    private int deliver() {
        int taken = 0;
        for (int shard = 0; shard < 8; shard++) {
            Shard in = new Shard(QUEUE, shard);
            Acquisition got = store.leases()
                    .acquire(in, Acquires.of(100, Duration.ofMinutes(1), 10, 1 << 20, 100))
                    .join();
            if (!got.tasks().isEmpty()) {
                got.tasks().forEach(task -> delivered.merge(task.id(), 1, Integer::sum));
                store.leases()
                        .settle(
                                in,
                                got.tasks().stream()
                                        .map(task -> Settlement.ack(task.id(), got.token()))
                                        .toList())
                        .join();
                taken += got.tasks().size();
            }
        }
        return taken;
    }

    private void awaitAllInPlace() {
        await().atMost(Duration.ofSeconds(20))
                .until(() -> !admin.sharding(QUEUE).isMigrating());
    }

    /** Waits for the end of the change before. */
    private void reshardWhenPossible(int shards) {
        await().atMost(Duration.ofSeconds(20))
                .ignoreExceptionsInstanceOf(ReshardException.class)
                .until(() -> admin.reshard(QUEUE, shards).shards() == shards);
    }

    /** Where a task is, in how many shards so ever. */
    private List<Integer> shardsOf(String id) {
        return IntStream.range(0, 8)
                .filter(shard -> redis.index(new Shard(QUEUE, shard)).containsKey(id))
                .boxed()
                .toList();
    }

    private String idThatMoves(int from, int to) {
        return IntStream.range(0, 1000)
                .mapToObj(i -> "task-" + i)
                .filter(id -> ShardRouter.shardOf(id, from) != ShardRouter.shardOf(id, to))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void reshardWhenKeysHaveLimitsAtRunTimeTakesThemAlongAndBack() {
        KeyLimits limits = KeyLimits.rate(20, Duration.ofSeconds(1));
        Instant until = Instant.parse("2999-01-01T00:00:00Z");
        List<String> names =
                IntStream.range(0, 250).mapToObj(i -> "clinic-" + i).toList();
        names.forEach(key -> admin.setKeyLimits(QUEUE, key, limits));
        admin.closeKey(QUEUE, "clinic-3", until);
        schedule(TaskIds.of("clinic-3", null, "t"), Duration.ZERO);

        admin.reshard(QUEUE, 8);
        admin.setKeyLimits(QUEUE, "clinic-4", KeyLimits.NONE);
        admin.setKeyLimits(QUEUE, "clinic-5", limits.withConcurrency(2));
        Scheduler.Scheduled watch = migrations.watch(QUEUE);
        awaitAllInPlace();

        assertLimits(names, limits, until, 8);
        assertThat(acquiredWithLimits()).as("a closed key").isZero();
        Instant soon = Instant.ofEpochMilli(redis.serverMillis() + 100);
        IntStream.range(0, 20).forEach(i -> admin.closeKey(QUEUE, "closed-" + i, soon));
        await().until(() -> redis.serverMillis() > soon.toEpochMilli());
        admin.reshard(QUEUE, 1);
        awaitAllInPlace();
        watch.cancel();
        assertLimits(names, limits, until, 1);
        admin.openKey(QUEUE, "clinic-3");
        assertThat(admin.keyClosedUntil(QUEUE, "clinic-3")).isEmpty();
        assertThat(acquiredWithLimits()).isEqualTo(1);
    }

    @Test
    void reshardWhenAHandlerClosesAKeyForLongerAfterItsClosureWasCopiedKeepsTheLaterEnd() {
        String idPrefix = TaskIds.keyPrefix("clinic-3");
        Shard target = new Shard(QUEUE, ShardRouter.shardOf(idPrefix, 8));
        assertThat(target.index()).isPositive();
        Instant first = Instant.ofEpochMilli(redis.serverMillis()).plus(Duration.ofHours(1));
        admin.closeKey(QUEUE, "clinic-3", first);
        admin.reshard(QUEUE, 8);
        store.shards()
                .keyLimits(target, ShardingVersion.NONE, idPrefix, KeyLimitsChange.close(first))
                .join();
        store.shards()
                .keyLimits(
                        new Shard(QUEUE, 0),
                        ShardingVersion.NONE,
                        idPrefix,
                        KeyLimitsChange.closeFor(Duration.ofHours(2)))
                .join();

        Scheduler.Scheduled watch = migrations.watch(QUEUE);
        awaitAllInPlace();
        watch.cancel();

        assertThat(admin.keyClosedUntil(QUEUE, "clinic-3").orElseThrow()).isAfter(first.plus(Duration.ofMinutes(50)));
    }

    @Test
    void removeCopiedLimitsWhenAnOperatorOpensAKeyMeanwhileLeavesItOpen() {
        String idPrefix = TaskIds.keyPrefix("clinic-3");
        admin.closeKey(QUEUE, "clinic-3", Instant.MAX);
        admin.reshard(QUEUE, 8);
        AtomicBoolean isOpened = new AtomicBoolean();
        TaskStore opening = InterceptedStore.around(store, (role, method, arguments) -> {
            Object answer = method.invoke(role, arguments);
            if (role instanceof MigrationStore && method.getName().equals("keyLimits")) {
                ((CompletableFuture<?>) answer).join();
                if (isOpened.compareAndSet(false, true)) {
                    admin.openKey(QUEUE, "clinic-3");
                }
            }
            return answer;
        });

        new ShardMigration(opening, QUEUE, shardings.of(QUEUE), () -> true).removeCopiedLimits();

        assertThat(isOpened).isTrue();
        assertThat(ShardRouter.shardOf(idPrefix, 8)).isPositive();
        assertThat(admin.keyClosedUntil(QUEUE, "clinic-3")).isEmpty();
    }

    @Test
    void reshardWhenAnOperatorShortensAClosureThatIsBeingCopiedNeverOpensTheKey() {
        String idPrefix = TaskIds.keyPrefix("clinic-3");
        Shard target = new Shard(QUEUE, ShardRouter.shardOf(idPrefix, 8));
        Instant sooner = Instant.ofEpochMilli(redis.serverMillis()).plus(Duration.ofHours(1));
        admin.closeKey(QUEUE, "clinic-3", Instant.MAX);
        admin.reshard(QUEUE, 8);
        AtomicBoolean isShortened = new AtomicBoolean();
        List<Optional<Instant>> ends = new ArrayList<>();
        TaskStore shortening = InterceptedStore.around(store, (role, method, arguments) -> {
            Object answer = method.invoke(role, arguments);
            if (method.getName().equals("keyLimits")) {
                ((CompletableFuture<?>) answer).join();
                if (role instanceof MigrationStore && isShortened.compareAndSet(false, true)) {
                    admin.closeKey(QUEUE, "clinic-3", sooner);
                }
                ends.add(store.shards()
                        .keyLimits(target, ShardingVersion.NONE, idPrefix, KeyLimitsChange.READ)
                        .join()
                        .closedUntil());
            }
            return answer;
        });

        new ShardMigration(shortening, QUEUE, shardings.of(QUEUE), () -> true).pass();

        assertThat(ends).hasSizeGreaterThan(2).allMatch(Optional::isPresent);
        assertThat(admin.keyClosedUntil(QUEUE, "clinic-3")).contains(sooner);
    }

    private int acquiredWithLimits() {
        AcquireRequest request = Acquires.of(100, Duration.ofMinutes(1), 10, 1 << 20, 100);
        return IntStream.range(0, 8)
                .map(shard -> store.leases()
                        .acquireLimited(new Shard(QUEUE, shard), request, KeyLimits.NONE)
                        .join()
                        .tasks()
                        .size())
                .sum();
    }

    private void assertLimits(List<String> names, KeyLimits limits, Instant until, int shards) {
        for (String key : names) {
            KeyLimits expected = switch (key) {
                case "clinic-4" -> KeyLimits.NONE;
                case "clinic-5" -> limits.withConcurrency(2);
                default -> limits;
            };
            assertThat(admin.keyLimits(QUEUE, key)).as(key).isEqualTo(expected);
        }
        assertThat(admin.keyClosedUntil(QUEUE, "clinic-3")).contains(until);
        for (int shard = 0; shard < 8; shard++) {
            int number = shard;
            assertThat(store.migrations()
                            .keyLimits(new Shard(QUEUE, shard), ShardingVersion.NONE, MigrationPage.START, 1000)
                            .join()
                            .fields())
                    .as("shard %s", shard)
                    .allMatch(field -> ShardRouter.shardOf(field.idPrefix(), shards) == number);
        }
    }

    @Test
    void reshardWhenTwoProcessesScheduleCancelAndMoveLosesNothingAndDeliversOnce() {
        DelayQueueTemplate other = staleTemplate();
        Scheduler.Scheduled watch = migrations.watch(QUEUE);
        Set<String> cancelled = ConcurrentHashMap.newKeySet();
        Set<String> uncertain = ConcurrentHashMap.newKeySet();
        Set<String> all = ConcurrentHashMap.newKeySet();
        CompletableFuture<Void> load = CompletableFuture.runAsync(() -> {
            Random random = new Random(4);
            List<String> ids = new ArrayList<>();
            for (int i = 0; i < 1500; i++) {
                String id = (i % 4 == 0) ? TaskIds.of("customer-" + i % 50, null, "t" + i) : "t" + i;
                ScheduleRequest.Builder<Object> request = request(id, Duration.ofMillis(300 + random.nextInt(3000)));
                all.add(id);
                ids.add(id);
                assertThat((i % 2 == 0 ? template : other)
                                .schedule(request.build())
                                .outcome())
                        .isEqualTo(ScheduleOutcome.CREATED);
                String earlier = ids.get(random.nextInt(ids.size()));
                DelayQueueTemplate by = random.nextBoolean() ? template : other;
                if (i % 3 == 0) {
                    switch (by.cancel(QUEUE, earlier)) {
                        case CANCELLED -> cancelled.add(earlier);
                        case IN_FLIGHT -> uncertain.add(earlier);
                        case NOT_FOUND -> {}
                    }
                } else if (i % 3 == 1) {
                    // During a delivery this makes the task due again, which the outcome reports.
                    if (by.reschedule(QUEUE, earlier, Due.after(Duration.ofMillis(200)))
                            == RescheduleOutcome.IN_FLIGHT) {
                        uncertain.add(earlier);
                    }
                }
                switch (i) {
                    case 300 -> reshardWhenPossible(8);
                    case 310 -> admin.reshard(QUEUE, 1);
                    case 600 -> reshardWhenPossible(8);
                    case 900 -> reshardWhenPossible(3);
                    default -> {}
                }
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(2));
            }
        });
        while (!load.isDone()) {
            deliver();
        }
        load.join();
        await().atMost(Duration.ofSeconds(20)).until(() -> {
            deliver();
            // The counts of the shards are not read at one moment, so they may omit a task that is migrating.
            return admin.stats(QUEUE).delayed() == 0
                    && all.stream()
                            .filter(id -> !cancelled.contains(id) && !uncertain.contains(id))
                            .allMatch(delivered::containsKey);
        });
        awaitAllInPlace();
        watch.cancel();

        assertThat(cancelled).isNotEmpty();
        // A task that was rescheduled during its delivery may be cancelled before the next.
        assertThat(delivered.keySet())
                .doesNotContainAnyElementsOf(
                        cancelled.stream().filter(id -> !uncertain.contains(id)).toList());
        for (String id : all) {
            if (!cancelled.contains(id) && !uncertain.contains(id)) {
                assertThat(delivered).as(id).containsEntry(id, 1);
            }
        }
        for (int shard = 0; shard < 8; shard++) {
            assertThat(redis.brokenInvariant(new Shard(QUEUE, shard))).isEmpty();
            assertThat(redis.holds(new Shard(QUEUE, shard))).isEmpty();
        }
        assertThat(admin.sharding(QUEUE)).isEqualTo(new QueueSharding(3, 1, OptionalInt.empty()));
    }

    @Test
    void reshardWhenTasksWaitMovesEachToItsHomeUpAndDown() {
        List<? extends ScheduleRequest<?>> requests = IntStream.range(0, 1000)
                .mapToObj(i -> request("t" + i, LONG).build())
                .toList();
        assertThat(template.scheduleAll(requests)).hasSameSizeAs(requests);
        migrations.watch(QUEUE);
        for (int shards : new int[] {8, 3}) {
            admin.reshard(QUEUE, shards);
            awaitAllInPlace();
            for (int shard = 0; shard < 8; shard++) {
                int here = shard;
                assertThat(redis.index(new Shard(QUEUE, shard)).keySet())
                        .hasSize(
                                shard < shards
                                        ? redis.index(new Shard(QUEUE, shard)).size()
                                        : 0)
                        .allMatch(id -> ShardRouter.shardOf(id, shards) == here);
            }
            assertThat(admin.stats(QUEUE).delayed()).isEqualTo(1000);
        }
    }

    @Test
    void callsWhenTasksAreStillInOldShardsFindThemThere() {
        String id = idThatMoves(1, 8);
        schedule(id, LONG);
        String keyed = TaskIds.of(id, null, "keyed");
        template.schedule(request("keyed", LONG).key(id).build());
        admin.reshard(QUEUE, 8);

        assertThat(admin.sharding(QUEUE)).isEqualTo(new QueueSharding(8, 1, OptionalInt.of(1)));
        assertThat(template.find(QUEUE, id, String.class)).isPresent();
        assertThat(template.reschedule(QUEUE, keyed, Due.after(LONG))).isEqualTo(RescheduleOutcome.RESCHEDULED);
        assertThat(template.schedule(request(id, LONG)
                                .onConflict(ConflictPolicy.KEEP)
                                .build())
                        .outcome())
                .isEqualTo(ScheduleOutcome.KEPT);
        assertThat(template.schedule(request(id, LONG).build()).outcome()).isEqualTo(ScheduleOutcome.REPLACED);
        assertThat(shardsOf(id)).containsExactly(0);
        assertThat(admin.stats(QUEUE).delayed()).isEqualTo(2);
        assertThat(template.cancel(QUEUE, id)).isEqualTo(CancelOutcome.CANCELLED);
        assertThat(template.cancel(QUEUE, keyed)).isEqualTo(CancelOutcome.CANCELLED);
        assertThat(template.cancel(QUEUE, keyed)).isEqualTo(CancelOutcome.NOT_FOUND);
    }

    @Test
    void scheduleWhenTheCallersShardingIsStaleStoresTheTaskInItsNewHome() {
        Shardings stale = Shardings.fixed(queues);
        DelayQueueTemplate other = template(stale);
        String id = idThatMoves(1, 8);
        admin.reshard(QUEUE, 8);
        assertThat(template.find(QUEUE, id, String.class))
                .as("looks at the old home")
                .isEmpty();

        other.schedule(request(id, LONG).build());

        assertThat(shardsOf(id)).containsExactly(ShardRouter.shardOf(id, 8));
        assertThat(stale.of(QUEUE).shards()).isEqualTo(8);
        assertThat(template.find(QUEUE, id, String.class)).isPresent();
    }

    @Test
    void scheduleAllWhenTasksMigrateKeepsTheOrderOfRepeatedIds() {
        admin.reshard(QUEUE, 8);
        List<ScheduleRequest<?>> requests = new ArrayList<>();
        for (int i = 0; i < 30; i++) {
            requests.add(requestTo(QUEUE, "t" + i % 10, "p" + i, LONG));
        }
        assertThat(template.scheduleAll(requests)).hasSameSizeAs(requests);
        for (int i = 0; i < 10; i++) {
            assertThat(template.find(QUEUE, "t" + i, String.class).orElseThrow().payload())
                    .isEqualTo("p" + (20 + i));
        }
        assertThat(admin.stats(QUEUE).delayed()).isEqualTo(10);
    }

    @Test
    void migrationWhenARoundEndsOrATaskWaitedMovesWhatIsDueThen() {
        String round = idThatMoves(1, 8);
        String waiting = IntStream.range(0, 1000)
                .mapToObj(i -> "waits-" + i)
                .filter(id -> ShardRouter.shardOf(id, 8) != 0)
                .findFirst()
                .orElseThrow();
        schedule(round, Duration.ZERO);
        schedule(waiting, Duration.ZERO);
        Shard source = new Shard(QUEUE, 0);
        Acquisition got = store.leases()
                .acquire(source, Acquires.of(2, Duration.ofMinutes(1), 10, 1 << 20, 2))
                .join();
        StoreCalls.reschedule(store, source, ShardingVersion.NONE, waiting, Due.after(LONG))
                .join();
        admin.reshard(QUEUE, 8);
        migrations.watch(QUEUE);
        schedule("first", LONG);

        store.leases()
                .settle(
                        source,
                        List.of(
                                Settlement.again(round, got.token(), Due.after(LONG)),
                                Settlement.retry(waiting, got.token(), Duration.ZERO, true, false, "lost")))
                .join();

        awaitAllInPlace();
        for (String id : List.of(round, waiting)) {
            assertThat(shardsOf(id)).containsExactly(ShardRouter.shardOf(id, 8));
            FoundTask<String> found = template.find(QUEUE, id, String.class).orElseThrow();
            assertThat(found.state()).isEqualTo(TaskState.SCHEDULED);
            assertThat(found.failures()).isZero();
            assertThat(found.dueAt()).isAfter(Instant.now().plus(LONG.dividedBy(2)));
        }
        assertThat(template.cancel(QUEUE, round)).isEqualTo(CancelOutcome.CANCELLED);
        assertThat(template.cancel(QUEUE, waiting)).isEqualTo(CancelOutcome.CANCELLED);
    }

    @Test
    void callsWhenATaskIsHeldWaitForTheHoldToEnd() {
        String id = idThatMoves(1, 8);
        schedule(id, LONG);
        admin.reshard(QUEUE, 8);
        hold(id, Duration.ofMillis(400));
        long begin = System.nanoTime();

        assertThat(template.cancel(QUEUE, id)).isEqualTo(CancelOutcome.CANCELLED);

        assertThat(Duration.ofNanos(System.nanoTime() - begin)).isGreaterThan(Duration.ofMillis(200));
        assertThat(shardsOf(id)).isEmpty();
    }

    @Test
    void callsWhenAHoldDoesNotEndGiveUpWithATypedError() {
        String id = idThatMoves(1, 8);
        schedule(id, LONG);
        admin.reshard(QUEUE, 8);
        hold(id, LONG);
        assertThatExceptionOfType(TaskStoreUnavailableException.class)
                .isThrownBy(() -> template.schedule(request(id, LONG).build()))
                .withMessageContaining(QUEUE);
    }

    @Test
    void scheduleAllWhenAHoldOfOneTaskDoesNotEndFailsOnlyThatOne() {
        String id = idThatMoves(1, 8);
        schedule(id, LONG);
        admin.reshard(QUEUE, 8);
        hold(id, LONG);

        assertThatExceptionOfType(BatchFailedException.class)
                .isThrownBy(() -> template.scheduleAll(List.of(
                        request("before", LONG).key(id).build(),
                        request(id, LONG).build(),
                        request("after", LONG).key(id).build())))
                .satisfies(ex -> assertThat(ex.lines())
                        .extracting(BatchFailedException.Line::isFailed)
                        .containsExactly(false, true, false));
    }

    @Test
    void scheduleAsyncWhenAHoldOfOneTaskDoesNotEndFailsOnlyThatOne() {
        String id = idThatMoves(1, 8);
        schedule(id, LONG);
        admin.reshard(QUEUE, 8);
        hold(id, LONG);
        redis.holdScripts(Duration.ofMillis(200));

        List<CompletableFuture<ScheduleResult>> stages = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            stages.add(template.async()
                    .schedule(request(i == 3 ? id : TaskIds.of(id, null, "t" + i), LONG)
                            .build())
                    .toCompletableFuture());
        }

        for (int i = 0; i < 5; i++) {
            if (i == 3) {
                assertThat(stages.get(i))
                        .failsWithin(Duration.ofSeconds(4))
                        .withThrowableThat()
                        .havingCause()
                        .isInstanceOf(TaskStoreException.class);
            } else {
                assertThat(stages.get(i)).succeedsWithin(Duration.ofSeconds(4));
            }
        }
    }

    /** Holds a task, like a process that dies during a migration. */
    private MigrationHold hold(String id, Duration time) {
        ShardingVersion version = new ShardingVersion(shardings.of(QUEUE).format());
        return store.migrations()
                .hold(new Shard(QUEUE, 0), version, List.of(id), time, 1 << 20)
                .join();
    }

    private void takeIn(MigrationHold held, int shard) {
        ShardingVersion version = new ShardingVersion(shardings.of(QUEUE).format());
        assertThat(store.migrations()
                        .takeIn(new Shard(QUEUE, shard), version, held.deadline(), held.token(), held.tasks())
                        .join())
                .isTrue();
    }

    @Test
    void migrationWhenItDiesAfterTheHoldLosesNothing() {
        String id = idThatMoves(1, 8);
        schedule(id, LONG);
        admin.reshard(QUEUE, 8);
        hold(id, Duration.ofMillis(300));
        migrations.watch(QUEUE);
        awaitAllInPlace();
        assertThat(shardsOf(id)).containsExactly(ShardRouter.shardOf(id, 8));
    }

    @Test
    void migrationWhenItDiesBetweenTakingInAndDeletingLeavesOneTaskInTheEnd() {
        String id = idThatMoves(1, 8);
        schedule(id, LONG);
        admin.reshard(QUEUE, 8);
        takeIn(hold(id, Duration.ofMillis(300)), ShardRouter.shardOf(id, 8));
        assertThat(shardsOf(id)).hasSize(2);
        migrations.watch(QUEUE);
        awaitAllInPlace();
        assertThat(shardsOf(id)).containsExactly(ShardRouter.shardOf(id, 8));
    }

    @Test
    void migrationWhenAFailoverBringsACopyBackAfterAllWasInPlaceRemovesIt() {
        String id = idThatMoves(1, 8);
        schedule(id, LONG);
        admin.reshard(QUEUE, 8);
        MigrationHold held = hold(id, Duration.ofMillis(50));
        ShardingVersion version = new ShardingVersion(shardings.of(QUEUE).format());
        try (ShardMigrations slow =
                new ShardMigrations(store, shardings, new Scheduler().worker(), Duration.ofSeconds(2))) {
            slow.watch(QUEUE);
            await().until(() -> shardsOf(id).equals(List.of(ShardRouter.shardOf(id, 8))));

            assertThat(store.migrations()
                            .takeIn(
                                    new Shard(QUEUE, 0),
                                    version,
                                    Instant.ofEpochMilli(redis.serverMillis()).plus(LONG),
                                    held.token(),
                                    held.tasks())
                            .join())
                    .isTrue();

            awaitAllInPlace();
        }
        assertThat(shardsOf(id)).containsExactly(ShardRouter.shardOf(id, 8));
    }

    @Test
    void callsWhenAMigrationLeftACopyBehindReachBoth() {
        String id = idThatMoves(1, 8);
        schedule(id, LONG);
        admin.reshard(QUEUE, 8);
        takeIn(hold(id, Duration.ofMillis(500)), ShardRouter.shardOf(id, 8));

        template.schedule(request(id, Duration.ofHours(2)).build());
        assertThat(shardsOf(id)).hasSize(2);
        for (int shard : shardsOf(id)) {
            assertThat(redis.index(new Shard(QUEUE, shard)).get(id))
                    .isGreaterThan(redis.serverMillis() + LONG.toMillis());
        }
        assertThat(template.cancel(QUEUE, id)).isEqualTo(CancelOutcome.CANCELLED);
        assertThat(shardsOf(id)).isEmpty();
    }

    @Test
    void cancelWhenTheNextHomeFailsSaysThatItMayHaveBeenApplied() {
        String id = idThatMoves(1, 8);
        schedule(id, LONG);
        admin.reshard(QUEUE, 8);
        redis.damage(new Shard(QUEUE, ShardRouter.shardOf(id, 8)), "leases");

        assertThatExceptionOfType(TaskStoreException.class)
                .isThrownBy(() -> template.cancel(QUEUE, id))
                .matches(TaskStoreException::mayHaveBeenApplied);
        assertThat(shardsOf(id)).isEmpty();
    }

    @Test
    void redriveWhenAMigrationLeftADeadCopyBehindReachesBoth() {
        String redriven = deadInTwoShards(0);
        String discarded = deadInTwoShards(1);

        assertThat(admin.redrive(QUEUE, redriven)).isTrue();
        assertThat(shardsOf(redriven)).containsExactly(0, ShardRouter.shardOf(redriven, 8));
        assertThat(admin.discard(QUEUE, discarded)).isTrue();
        assertThat(admin.stats(QUEUE).dead()).isZero();
    }

    /** As {@link #idThatMoves}, the one after {@code skip} others. */
    private String deadInTwoShards(int skip) {
        String id = IntStream.range(0, 1000)
                .mapToObj(i -> "dead-" + i)
                .filter(candidate -> ShardRouter.shardOf(candidate, 8) != 0)
                .skip(skip)
                .findFirst()
                .orElseThrow();
        redis.makeDead(new Shard(QUEUE, 0), List.of(id));
        if (!admin.sharding(QUEUE).isMigrating()) {
            admin.reshard(QUEUE, 8);
        }
        takeIn(hold(id, Duration.ofMillis(500)), ShardRouter.shardOf(id, 8));
        return id;
    }

    @Test
    void scheduleWhenOnlyTheSecondCopyIsReplacedSaysReplaced() {
        String id = idThatMoves(1, 8);
        schedule(id, LONG);
        admin.reshard(QUEUE, 8);
        Shard home = new Shard(QUEUE, ShardRouter.shardOf(id, 8));
        takeIn(hold(id, Duration.ofMillis(500)), home.index());
        StoreCalls.reschedule(
                        store,
                        home,
                        new ShardingVersion(shardings.of(QUEUE).format()),
                        id,
                        Due.after(Duration.ofMinutes(1)))
                .join();

        ScheduleRequest<?> later = request(id, Duration.ofMinutes(30))
                .onConflict(ConflictPolicy.KEEP_LATER)
                .build();

        assertThat(template.schedule(later).outcome()).isEqualTo(ScheduleOutcome.REPLACED);
    }

    @Test
    void purgeWhenATaskIsOnItsWayWaitsForIt() {
        String id = idThatMoves(1, 8);
        schedule(id, LONG);
        admin.reshard(QUEUE, 8);
        hold(id, Duration.ofMillis(300));

        assertThat(admin.purge(QUEUE, QUEUE)).isEqualTo(new PurgeResult(1, 0, 0, 0));
        assertThat(shardsOf(id)).isEmpty();
    }

    @Test
    void migrationWhenATaskIsLeasedLeavesItUntilItIsSettled() {
        String id = idThatMoves(1, 8);
        schedule(id, Duration.ZERO);
        Acquisition got = store.leases()
                .acquire(new Shard(QUEUE, 0), Acquires.of(10, Duration.ofMinutes(1), 10, 1 << 20, 10))
                .join();
        assertThat(got.tasks()).extracting(AcquiredTask::id).containsExactly(id);
        schedule("bystander-" + id, LONG);
        admin.reshard(QUEUE, 8);
        migrations.watch(QUEUE);
        await().until(() -> !shardsOf("bystander-" + id).contains(0) || ShardRouter.shardOf("bystander-" + id, 8) == 0);
        assertThat(admin.sharding(QUEUE).isMigrating()).isTrue();
        store.leases()
                .settle(new Shard(QUEUE, 0), List.of(Settlement.retry(id, got.token(), LONG, true, false, "later")))
                .join();
        awaitAllInPlace();
        assertThat(shardsOf(id)).containsExactly(ShardRouter.shardOf(id, 8));
        assertThat(template.find(QUEUE, id, String.class).orElseThrow().failures())
                .isEqualTo(1);
    }

    @Test
    void reshardWhenTheQueueIsPausedPausesTheNewShardsAndElseResumesThoseLeftOver() {
        admin.pause(QUEUE);
        admin.reshard(QUEUE, 4);
        for (int shard = 0; shard < 4; shard++) {
            assertThat(store.shards().stats(new Shard(QUEUE, shard)).join().paused())
                    .isTrue();
        }
        admin.resume(QUEUE);
        migrations.watch(QUEUE);
        awaitAllInPlace();
        store.shards().pause(new Shard(QUEUE, 6)).join();
        admin.reshard(QUEUE, 8);
        assertThat(admin.isPaused(QUEUE)).isFalse();
    }

    @Test
    void reshardWhenAnOperatorPausesTheQueueMeanwhileLeavesItPaused() {
        AtomicInteger resumed = new AtomicInteger();
        TaskStore pausing = InterceptedStore.around(store, (role, method, arguments) -> {
            // The first three resume the new shards before the change, the others after it.
            if (method.getName().equals("resume") && resumed.incrementAndGet() == 4) {
                admin.pause(QUEUE);
            }
            return method.invoke(role, arguments);
        });

        new Resharding(pausing, shardings).reshard(QUEUE, 4);

        for (int shard = 0; shard < 4; shard++) {
            assertThat(store.shards().stats(new Shard(QUEUE, shard)).join().paused())
                    .isTrue();
        }
    }

    @Test
    void reshardWhenItCannotBeIsRefusedWithATypedError() {
        assertThatExceptionOfType(ReshardException.class).isThrownBy(() -> admin.reshard(QUEUE, 0));
        assertThatExceptionOfType(ReshardException.class).isThrownBy(() -> admin.reshard(QUEUE, 1025));
    }

    @Test
    void reshardWhenOneRunsIsRefusedExceptBackToTheEarlierNumber() {
        String id = idThatMoves(1, 8);
        schedule(id, LONG);
        admin.reshard(QUEUE, 8);

        assertThatExceptionOfType(ReshardException.class)
                .isThrownBy(() -> admin.reshard(QUEUE, 4))
                .withMessageContaining(QUEUE)
                .withMessageContaining("from 1 to 8 shards")
                .withMessageContaining("reshard the queue to 1 to revert the change");
        assertThat(admin.reshard(QUEUE, 8)).isEqualTo(new QueueSharding(8, 1, OptionalInt.of(1)));
        assertThat(admin.reshard(QUEUE, 1)).isEqualTo(new QueueSharding(1, 1, OptionalInt.of(8)));

        migrations.watch(QUEUE);
        awaitAllInPlace();
        assertThat(shardsOf(id)).containsExactly(0);
        assertThat(admin.reshard(QUEUE, 4)).isEqualTo(new QueueSharding(4, 1, OptionalInt.of(1)));
    }

    @Test
    void reshardWhenItIsTurnedBackFindsTasksOnBothSides() {
        schedule("stays", LONG);
        List<String> moved = IntStream.range(0, 1000)
                .mapToObj(i -> "moved-" + i)
                .filter(id -> ShardRouter.shardOf(id, 8) != 0)
                .limit(3)
                .toList();
        moved.forEach(id -> schedule(id, LONG));
        admin.reshard(QUEUE, 8);
        MigrationHold first = hold(moved.get(0), Duration.ofMillis(500));
        takeIn(first, ShardRouter.shardOf(moved.get(0), 8));
        store.migrations()
                .end(new Shard(QUEUE, 0), first.token(), true, List.of(moved.get(0)))
                .join();
        takeIn(hold(moved.get(1), Duration.ofMillis(500)), ShardRouter.shardOf(moved.get(1), 8));

        admin.reshard(QUEUE, 1);

        for (String id : moved) {
            assertThat(template.find(QUEUE, id, String.class)).as(id).isPresent();
            assertThat(template.schedule(request(id, LONG)
                                    .onConflict(ConflictPolicy.KEEP)
                                    .build())
                            .outcome())
                    .isEqualTo(ScheduleOutcome.KEPT);
        }
        assertThat(template.cancel(QUEUE, moved.get(0))).isEqualTo(CancelOutcome.CANCELLED);
        migrations.watch(QUEUE);
        awaitAllInPlace();
        assertThat(shardsOf(moved.get(0))).isEmpty();
        assertThat(shardsOf(moved.get(1))).containsExactly(0);
        assertThat(shardsOf(moved.get(2))).containsExactly(0);
        assertThat(admin.stats(QUEUE).delayed()).isEqualTo(3);
    }

    /** It has a hold in its hand when the change is turned back. */
    @Test
    void migrationWhenTheChangeIsTurnedBackTakesNothingInAnyMore() {
        String id = idThatMoves(1, 8);
        schedule(id, LONG);
        admin.reshard(QUEUE, 8);
        ShardingVersion before = shardings.of(QUEUE).version();
        MigrationHold held = hold(id, Duration.ofMillis(500));
        admin.reshard(QUEUE, 1);
        assertThat(template.find(QUEUE, id, String.class)).isPresent();

        assertThat(store.migrations()
                        .takeIn(
                                new Shard(QUEUE, ShardRouter.shardOf(id, 8)),
                                before,
                                held.deadline(),
                                held.token(),
                                held.tasks()))
                .failsWithin(Duration.ofSeconds(2))
                .withThrowableThat()
                .havingCause()
                .isInstanceOf(ShardingChangedException.class);
        assertThat(shardsOf(id)).containsExactly(0);
    }

    @Test
    void configureWhenTheNumberIsTheOneOfTheLastTimeLetsTheRecordWin() {
        assertThat(resharding.configure(QUEUE, 1).shards()).isEqualTo(1);
        admin.reshard(QUEUE, 4);
        assertThat(resharding.configure(QUEUE, 1)).isEqualTo(new QueueSharding(4, 1, OptionalInt.of(1)));
        assertThat(resharding.configure(QUEUE, 4)).isEqualTo(new QueueSharding(4, 4, OptionalInt.of(1)));
        assertThat(resharding.configure(QUEUE, 1)).isEqualTo(new QueueSharding(1, 1, OptionalInt.of(4)));
        assertThatExceptionOfType(ReshardException.class).isThrownBy(() -> resharding.configure(QUEUE, 2));
    }

    @Test
    void shardingsWhenTheRecordIsLostRecordItAgain() {
        admin.reshard(QUEUE, 4);
        Sharding before = shardings.of(QUEUE);
        redis.loseSharding(QUEUE);

        Sharding after = shardings.refresh(QUEUE).join();

        assertThat(after).isEqualTo(before);
        assertThat(store.shardings().sharding(QUEUE).join().text()).isEqualTo(after.format());
    }

    /** This process runs on while Redis goes back to a snapshot from before a change, or from within one. */
    @ParameterizedTest
    @CsvSource({"4, 4, 2", "2, 2, 4", "4, 2, 2", "2, 4, 1"})
    void shardingsWhenRedisGoesBackBehindAFinishedChangeFindAllTasks(int first, int running, int last) {
        Scheduler.Scheduled watch = migrations.watch(QUEUE);
        admin.reshard(QUEUE, first);
        awaitAllInPlace();
        List<String> ids = IntStream.range(0, 20).mapToObj(i -> "task-" + i).toList();
        ids.forEach(id -> schedule(id, LONG));
        watch.cancel();
        admin.reshard(QUEUE, running);
        Runnable goBack = redis.snapshot();
        migrations.watch(QUEUE);
        awaitAllInPlace();
        reshardWhenPossible(last);
        awaitAllInPlace();

        goBack.run();

        shardings.refresh(QUEUE).join();
        awaitAllInPlace();
        assertThat(admin.sharding(QUEUE).shards()).isEqualTo(last);
        assertThat(ids).allSatisfy(id -> assertThat(shardsOf(id)).containsExactly(ShardRouter.shardOf(id, last)));
    }

    @Test
    void shardingsWhenTheRecordIsLostAndNoProcessKnowsItLearnItFromTheShards() {
        admin.reshard(QUEUE, 8);
        Sharding before = shardings.of(QUEUE);
        String id = idThatMoves(1, 8);
        schedule(id, LONG);
        redis.loseSharding(QUEUE);

        try (Shardings restarted = new Shardings(store.shardings(), queues, new Scheduler())) {
            assertThat(restarted.refresh(QUEUE).join()).isEqualTo(before);
        }
        assertThat(store.shardings().sharding(QUEUE).join().text()).isEqualTo(before.format());
    }

    @Test
    void reshardWhenAnEarlierOneWasLostInAFailoverBeginsWhereThatOneEnded() {
        String first = shardings.refresh(QUEUE).join().format();
        try (Shardings dead = new Shardings(store.shardings(), queues, new Scheduler())) {
            DelayQueueTemplate gone = template(dead);
            new Resharding(store, dead).reshard(QUEUE, 8);
            gone.find(QUEUE, "any", String.class);
        }
        redis.recordSharding(QUEUE, first);

        assertThatExceptionOfType(ReshardException.class).isThrownBy(() -> admin.reshard(QUEUE, 4));
        assertThat(admin.reshard(QUEUE, 1)).isEqualTo(new QueueSharding(1, 1, OptionalInt.of(8)));
    }

    @Test
    void shardingsWhenTwoOfOneEpochAreInUseAreBroughtTogether() {
        assertThat(shardings.refresh(QUEUE).join()).isEqualTo(Sharding.initial(1));
        redis.recordSharding(QUEUE, Sharding.initial(4).format());

        Sharding both = shardings.refresh(QUEUE).join();

        assertThat(both.change()).isEqualTo("1:1:4");
        assertThat(store.shardings().sharding(QUEUE).join().text()).isEqualTo(both.format());
    }
}
