// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import io.delayqueue.BatchFailedException;
import io.delayqueue.CancelOutcome;
import io.delayqueue.ConflictPolicy;
import io.delayqueue.Due;
import io.delayqueue.InvalidTaskException;
import io.delayqueue.RescheduleOutcome;
import io.delayqueue.ScheduleOutcome;
import io.delayqueue.ScheduleRequest;
import io.delayqueue.ScheduleResult;
import io.delayqueue.TaskNotReplicatedException;
import io.delayqueue.TaskStoreCorruptException;
import io.delayqueue.TaskStoreException;
import io.delayqueue.codec.JacksonPayloadCodec;
import io.delayqueue.internal.admin.TaskStoreAdmin;
import io.delayqueue.internal.client.ClientOptions;
import io.delayqueue.internal.client.DelayQueueTemplate;
import io.delayqueue.internal.codec.PayloadCodecs;
import io.delayqueue.internal.concurrent.Scheduler;
import io.delayqueue.internal.queue.QueueCatalog;
import io.delayqueue.internal.queue.QueueSettings;
import io.delayqueue.internal.queue.QueueSettingsBuilder;
import io.delayqueue.internal.queue.TaskBounds;
import io.delayqueue.internal.redis.RedisConnections;
import io.delayqueue.internal.redis.RedisKeys;
import io.delayqueue.internal.redis.RedisTarget;
import io.delayqueue.internal.sharding.Resharding;
import io.delayqueue.internal.sharding.ShardMigrations;
import io.delayqueue.internal.sharding.Sharding;
import io.delayqueue.internal.sharding.Shardings;
import io.delayqueue.internal.store.QueueClock;
import io.delayqueue.internal.store.TaskStore;
import io.delayqueue.internal.store.TestStores;
import io.delayqueue.test.server.RedisServer;
import io.lettuce.core.AclSetuserArgs;
import io.lettuce.core.KillArgs;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.protocol.CommandType;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

/** Calls that require replicas, with a master and one replica that is sometimes down. */
class ReplicasIntegrationTests {

    private static final Duration TIMEOUT = Duration.ofSeconds(4);
    private static final Duration PATIENCE = Duration.ofMillis(500);
    private static final Duration LATER = Duration.ofMinutes(10);
    private static final String PLAIN = "plain";
    private static final String SAFE = "safe";

    private static RedisServer master;
    private static RedisServer replica;
    private static RedisClient client;
    private static RedisCommands<String, String> onMaster;
    private static RedisCommands<String, String> onReplica;
    private static RedisConnections connections;

    private String prefix;
    private DelayQueueTemplate delayQueue;

    @BeforeAll
    static void startServers() {
        master = RedisServer.installed()
                .config("repl-diskless-sync yes")
                .config("repl-diskless-sync-delay 0")
                .start();
        replica = RedisServer.installed()
                .config("replicaof 127.0.0.1 " + master.port())
                .start();
        client = RedisClient.create();
        onMaster = client.connect(RedisURI.create(master.adminUri())).sync();
        onReplica = client.connect(RedisURI.create(replica.adminUri())).sync();
        await().until(() -> onMaster.waitForReplication(1, 100) == 1);
        connections = connections("default");
    }

    private static RedisConnections connections(String user) {
        RedisURI server = RedisURI.create("127.0.0.1", master.port());
        if (!user.equals("default")) {
            server.setAuthentication(user, "any".toCharArray());
        }
        return new RedisConnections(() -> RedisTarget.of(server), TIMEOUT, 10_000);
    }

    @AfterAll
    static void stopServers() {
        connections.close();
        client.shutdown(Duration.ZERO, Duration.ofSeconds(2));
        replica.close();
        master.close();
    }

    @BeforeEach
    void freshKeys() {
        prefix = "t" + UUID.randomUUID().toString().substring(0, 8);
        delayQueue = template(connections);
    }

    @AfterEach
    void awaitReplica() {
        replica.resume();
        await().until(() -> {
            onMaster.set("seen", "");
            return onMaster.waitForReplication(1, 100) == 1;
        });
    }

    private DelayQueueTemplate template(RedisConnections factory) {
        return template(factory, 2, PATIENCE);
    }

    private DelayQueueTemplate template(RedisConnections factory, int shards, Duration patience) {
        QueueCatalog queues = queues(shards);
        return template(store(factory, patience), queues, Shardings.fixed(queues));
    }

    private static QueueCatalog queues(int shards) {
        return new QueueCatalog(List.of(queue(PLAIN, shards, 0), queue(SAFE, shards, 1)));
    }

    private TaskStore store(RedisConnections factory, Duration patience) {
        return TestStores.of(factory, new RedisKeys(prefix), TIMEOUT, patience, queue -> 0, QueueClock.SERVERS);
    }

    private static DelayQueueTemplate template(TaskStore store, QueueCatalog queues, Shardings shardings) {
        return new DelayQueueTemplate(
                store,
                queues,
                shardings,
                new PayloadCodecs(
                        List.of(new JacksonPayloadCodec(JsonMapper.builder().build()))),
                TaskBounds.DEFAULT,
                new ClientOptions(TIMEOUT, 10_000));
    }

    private static QueueSettings queue(String name, int shards, int replicas) {
        return QueueSettingsBuilder.of(name)
                .shards(shards)
                .minReplicas(replicas)
                .build();
    }

    private static ScheduleRequest.Builder<Object> request(String queue, String id) {
        return ScheduleRequest.to(queue).id(id).payload("p-" + id).dueIn(LATER);
    }

    private boolean isOn(RedisCommands<String, String> server, String queue, String id) {
        // In this order, because a task that migrates in the meantime moves from the first shard to others.
        return IntStream.range(0, 4)
                .anyMatch(shard -> server.hexists(prefix + ":{" + queue + ":" + shard + "}:tasks", id));
    }

    private long calls(String command) {
        Matcher calls = Pattern.compile("cmdstat_" + command + ":calls=(\\d+)").matcher(onMaster.info("commandstats"));
        return calls.find() ? Long.parseLong(calls.group(1)) : 0;
    }

    private static TaskNotReplicatedException failure(CompletableFuture<?> stage) {
        try {
            stage.join();
        } catch (CompletionException ex) {
            return (TaskNotReplicatedException) ex.getCause();
        }
        throw new AssertionError("The call succeeded");
    }

    @Test
    void scheduleWhenAReplicaIsAskedForReturnsWhenItHasTheTask() {
        ScheduleResult result =
                delayQueue.schedule(request(PLAIN, "a").minReplicas(1).build());

        assertThat(result.outcome()).isEqualTo(ScheduleOutcome.CREATED);
        assertThat(isOn(onReplica, PLAIN, "a")).isTrue();
    }

    @Test
    void scheduleWhenNoReplicaIsAskedForSendsOneScriptAndNothingElse() {
        delayQueue.schedule(request(PLAIN, "first").build());
        delayQueue.cancel(PLAIN, "first");
        assertThat(calls("hello")).isPositive();
        onMaster.configResetstat();

        delayQueue.schedule(request(PLAIN, "a").build());
        delayQueue.schedule(request(SAFE, "b").minReplicas(0).build());
        delayQueue.cancel(PLAIN, "a");

        assertThat(calls("wait")).isZero();
        assertThat(calls("hello")).as("new connections").isZero();
        assertThat(calls("evalsha")).isEqualTo(3);
        assertThat(calls("eval")).isZero();
    }

    @Test
    void scheduleWhenNoReplicaAnswersIsStoredAndSaysSo() {
        replica.suspend();

        assertThatExceptionOfType(TaskNotReplicatedException.class)
                .isThrownBy(() ->
                        delayQueue.schedule(request(PLAIN, "a").minReplicas(1).build()))
                .satisfies(ex -> {
                    assertThat(ex)
                            .as("what applications catch to send a new request")
                            .isNotInstanceOf(TaskStoreException.class);
                    assertThat(ex.id()).isEqualTo("a");
                    assertThat(ex.outcome()).isEqualTo(ScheduleOutcome.CREATED);
                    assertThat(ex.asked()).isEqualTo(1);
                    assertThat(ex.reached()).isZero();
                })
                .withMessageContaining("task 'a'")
                .withMessageContaining("0 of 1")
                .withMessageContaining("delayqueue.redis.replicas-timeout")
                .withMessageNotContaining("p-a");

        assertThat(isOn(onMaster, PLAIN, "a")).isTrue();
    }

    @Test
    void scheduleWhenMoreReplicasAreAskedForThanThereAreSaysHowManyHaveIt() {
        assertThatExceptionOfType(TaskNotReplicatedException.class)
                .isThrownBy(() ->
                        delayQueue.schedule(request(PLAIN, "a").minReplicas(2).build()))
                .satisfies(ex -> assertThat(ex.reached()).isEqualTo(1));

        assertThat(isOn(onReplica, PLAIN, "a")).isTrue();
    }

    @Test
    void scheduleWhenSentAgainIsAnsweredAsTheFirstTimeAndCountsAnew() {
        ScheduleRequest<?> request = request(PLAIN, "a").minReplicas(1).build();
        replica.suspend();
        assertThatExceptionOfType(TaskNotReplicatedException.class).isThrownBy(() -> delayQueue.schedule(request));
        // Another client, which has written nothing: what it counts must still be about the task.
        DelayQueueTemplate other = template(connections);
        assertThatExceptionOfType(TaskNotReplicatedException.class).isThrownBy(() -> other.schedule(request));
        replica.resume();
        onMaster.configResetstat();

        ScheduleResult result = other.schedule(request);

        assertThat(result.outcome()).isEqualTo(ScheduleOutcome.CREATED);
        assertThat(calls("set")).as("writes that the WAIT counts").isEqualTo(1);
        assertThat(isOn(onReplica, PLAIN, "a")).isTrue();
    }

    @Test
    void scheduleWhenTheTaskIsKeptWaitsForTheOneThatIsHeld() {
        replica.suspend();
        delayQueue.schedule(request(PLAIN, "a").build());
        ScheduleRequest<?> keep = request(PLAIN, "a")
                .onConflict(ConflictPolicy.KEEP)
                .minReplicas(1)
                .build();

        assertThatExceptionOfType(TaskNotReplicatedException.class)
                .isThrownBy(() -> delayQueue.schedule(keep))
                .satisfies(ex -> assertThat(ex.outcome()).isEqualTo(ScheduleOutcome.KEPT));
        replica.resume();

        assertThat(delayQueue.schedule(keep).outcome()).isEqualTo(ScheduleOutcome.KEPT);
        assertThat(isOn(onReplica, PLAIN, "a")).isTrue();
    }

    @Test
    void scheduleAsyncWhenManyAreUnderWayShareFewWaits() {
        onMaster.configResetstat();
        List<CompletableFuture<ScheduleResult>> stages = IntStream.range(0, 500)
                .mapToObj(i -> delayQueue
                        .async()
                        .schedule(request(PLAIN, "a" + i).minReplicas(1).build())
                        .toCompletableFuture())
                .toList();

        stages.forEach(CompletableFuture::join);

        assertThat(IntStream.range(0, 500)).allMatch(i -> isOn(onReplica, PLAIN, "a" + i));
        assertThat(calls("wait")).isBetween(1L, 250L);
    }

    @Test
    void scheduleAsyncWhenNoReplicaAnswersTellsEachInTime() {
        replica.suspend();
        long start = System.nanoTime();
        List<CompletableFuture<ScheduleResult>> stages = IntStream.range(0, 100)
                .mapToObj(i -> delayQueue
                        .async()
                        .schedule(request(SAFE, "a" + i).build())
                        .toCompletableFuture())
                .toList();

        assertThat(stages)
                .allSatisfy(stage -> assertThat(failure(stage).outcome()).isEqualTo(ScheduleOutcome.CREATED));

        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(TIMEOUT);
        assertThat(IntStream.range(0, 100)).allMatch(i -> isOn(onMaster, SAFE, "a" + i));
    }

    @Test
    void scheduleWhenOthersWaitForReplicasInVainIsNotHeldUp() {
        replica.suspend();
        CompletableFuture<ScheduleResult> waiting = delayQueue
                .async()
                .schedule(request(PLAIN, "slow").minReplicas(1).build())
                .toCompletableFuture();

        for (int i = 0; i < 5; i++) {
            delayQueue.schedule(request(PLAIN, "quick" + i).build());
        }

        assertThat(waiting).isNotDone();
        assertThat(failure(waiting).id()).isEqualTo("slow");
    }

    @Test
    void scheduleAllWhenSomeAskForReplicasTellsThose() {
        List<ScheduleRequest<?>> requests = new ArrayList<>();
        for (int i = 0; i < 300; i++) {
            requests.add(request(PLAIN, "a" + i).minReplicas(i % 3 == 0 ? 1 : 0).build());
        }
        replica.suspend();
        BatchFailedException missed =
                catchThrowableOfType(BatchFailedException.class, () -> delayQueue.scheduleAll(requests));
        replica.resume();
        assertThat(delayQueue.scheduleAll(requests)).hasSize(300);

        for (int i = 0; i < 300; i++) {
            BatchFailedException.Line line = missed.lines().get(i);
            assertThat(line.outcome()).isEqualTo(ScheduleOutcome.CREATED);
            assertThat(line.isFailed()).isEqualTo(i % 3 == 0);
            if (i % 3 == 0) {
                assertThat(line.error()).isInstanceOf(TaskNotReplicatedException.class);
            }
        }
        assertThat(IntStream.range(0, 300)).allMatch(i -> isOn(onReplica, PLAIN, "a" + i));
    }

    @Test
    void scheduleAllWhenAnIdComesTwiceWithOtherReplicasTheLaterWinsAndEachIsAnsweredAsAsked() {
        String counted = idIn(0, 1);
        String uncounted = idIn(0, 2);
        replica.suspend();
        // Keeps the calls that count replicas waiting, so that the others could pass them.
        CompletableFuture<ScheduleResult> before = delayQueue
                .async()
                .schedule(request(PLAIN, idIn(0, 3)).minReplicas(1).build())
                .toCompletableFuture();
        await().pollInterval(Duration.ofMillis(5)).until(ReplicasIntegrationTests::isBlocked);

        List<BatchFailedException.Line> outcomes = catchThrowableOfType(
                        BatchFailedException.class,
                        () -> delayQueue.scheduleAll(List.of(
                                request(PLAIN, uncounted)
                                        .payload("first")
                                        .minReplicas(1)
                                        .build(),
                                request(PLAIN, counted)
                                        .payload("first")
                                        .minReplicas(0)
                                        .build(),
                                request(PLAIN, uncounted)
                                        .payload("second")
                                        .minReplicas(0)
                                        .build(),
                                request(PLAIN, counted)
                                        .payload("second")
                                        .minReplicas(1)
                                        .build())))
                .lines();

        assertThat(outcomes)
                .extracting(BatchFailedException.Line::id)
                .containsExactly(uncounted, counted, uncounted, counted);
        assertThat(outcomes)
                .extracting(BatchFailedException.Line::outcome)
                .containsExactly(
                        ScheduleOutcome.CREATED,
                        ScheduleOutcome.CREATED,
                        ScheduleOutcome.REPLACED,
                        ScheduleOutcome.REPLACED);
        assertThat(outcomes).extracting(BatchFailedException.Line::isFailed).containsExactly(true, false, false, true);
        assertThat(List.of(outcomes.get(0), outcomes.get(3)))
                .extracting(BatchFailedException.Line::error)
                .hasOnlyElementsOfType(TaskNotReplicatedException.class);
        assertThat(List.of(uncounted, counted))
                .allSatisfy(id -> assertThat(onMaster.hget(prefix + ":{" + PLAIN + ":0}:tasks", id))
                        .contains("second"));
        failure(before);
    }

    @Test
    void scheduleAllWhenAnIdComesTwiceWithOtherReplicasHasTheLaterOnTheReplica() {
        String id = idIn(0);

        delayQueue.scheduleAll(List.of(
                request(PLAIN, id).payload("first").minReplicas(0).build(),
                request(PLAIN, id).payload("second").minReplicas(1).build()));

        assertThat(onReplica.hget(prefix + ":{" + PLAIN + ":0}:tasks", id)).contains("second");
    }

    @Test
    void scheduleAllWhenReplicasMayNotBeCountedStoresThoseThatAskForNone() {
        onMaster.aclSetuser(
                "uncounted",
                AclSetuserArgs.Builder.on()
                        .nopass()
                        .allKeys()
                        .allChannels()
                        .allCommands()
                        .removeCommand(CommandType.SET));
        // The sharding is recorded with a SET too.
        delayQueue.schedule(request(PLAIN, idIn(0)).build());
        delayQueue.schedule(request(PLAIN, idIn(1)).build());
        RedisConnections factory = connections("uncounted");
        try {
            List<ScheduleRequest<?>> requests = new ArrayList<>();
            for (int i = 0; i < 40; i++) {
                requests.add(request(PLAIN, "a" + i).minReplicas(i % 2).build());
            }
            List<BatchFailedException.Line> outcomes = catchThrowableOfType(
                            BatchFailedException.class, () -> template(factory).scheduleAll(requests))
                    .lines();

            for (int i = 0; i < 40; i++) {
                if (i % 2 == 0) {
                    assertThat(outcomes.get(i).error()).isNull();
                } else {
                    assertThat(outcomes.get(i).error())
                            .isExactlyInstanceOf(TaskNotReplicatedException.class)
                            .hasMessageContaining("only 0 of 1 replicas");
                }
            }
        } finally {
            factory.close();
            onMaster.aclDeluser("uncounted");
        }
    }

    @Test
    void cancelWhenTheQueueAsksForReplicasReturnsWhenTheyKnow() {
        delayQueue.schedule(request(SAFE, "a").build());
        assertThat(isOn(onReplica, SAFE, "a")).isTrue();

        assertThat(delayQueue.reschedule(SAFE, "a", Due.after(Duration.ofHours(2))))
                .isEqualTo(RescheduleOutcome.RESCHEDULED);
        assertThat(delayQueue.cancel(SAFE, "a")).isEqualTo(CancelOutcome.CANCELLED);

        assertThat(isOn(onReplica, SAFE, "a")).isFalse();
        assertThat(delayQueue.cancel(SAFE, "a")).isEqualTo(CancelOutcome.NOT_FOUND);
    }

    @Test
    void cancelWhenNoReplicaAnswersSaysSoUntilOneDoes() {
        delayQueue.schedule(request(SAFE, "a").build());
        replica.suspend();

        assertThatExceptionOfType(TaskNotReplicatedException.class)
                .isThrownBy(() -> delayQueue.reschedule(SAFE, "a", Due.after(Duration.ofHours(2))))
                .satisfies(ex -> assertThat(ex.outcome()).isEqualTo(RescheduleOutcome.RESCHEDULED));
        assertThatExceptionOfType(TaskNotReplicatedException.class)
                .isThrownBy(() -> delayQueue.cancel(SAFE, "a"))
                .satisfies(ex -> assertThat(ex.outcome()).isEqualTo(CancelOutcome.CANCELLED));
        assertThat(failure(delayQueue.async().cancel(SAFE, "a").toCompletableFuture())
                        .outcome())
                .isEqualTo(CancelOutcome.NOT_FOUND);
        replica.resume();

        assertThat(delayQueue.cancel(SAFE, "a")).isEqualTo(CancelOutcome.NOT_FOUND);
        assertThat(isOn(onReplica, SAFE, "a")).isFalse();
    }

    @Test
    void cancelWhenTheTaskIsGoneAndNoReplicaAnswersSaysSoInTimeWithLongestPatience() {
        DelayQueueTemplate wide = template(connections, 8, TaskStore.longestReplicasTimeout(TIMEOUT));
        replica.suspend();

        assertThatExceptionOfType(TaskNotReplicatedException.class)
                .isThrownBy(() -> wide.cancel(SAFE, "gone"))
                .satisfies(ex -> assertThat(ex.outcome()).isEqualTo(CancelOutcome.NOT_FOUND));
        assertThatExceptionOfType(TaskNotReplicatedException.class)
                .isThrownBy(() -> wide.reschedule(SAFE, "gone", Due.after(Duration.ofHours(2))))
                .satisfies(ex -> assertThat(ex.outcome()).isEqualTo(RescheduleOutcome.NOT_FOUND));
        replica.resume();

        assertThat(wide.cancel(SAFE, "gone")).isEqualTo(CancelOutcome.NOT_FOUND);
    }

    @Test
    void scheduleWhenTheConnectionBreaksWhileItWaitsIsMadeAgainAndAnswered() {
        replica.suspend();
        CompletableFuture<ScheduleResult> stage = delayQueue
                .async()
                .schedule(request(PLAIN, "a").minReplicas(1).build())
                .toCompletableFuture();
        await().pollInterval(Duration.ofMillis(5)).until(() -> isOn(onMaster, PLAIN, "a") && isBlocked());

        onMaster.clientKill(KillArgs.Builder.typeNormal().skipme());
        replica.resume();

        assertThat(stage.join().outcome()).isEqualTo(ScheduleOutcome.CREATED);
        assertThat(isOn(onReplica, PLAIN, "a")).isTrue();
    }

    @Test
    void cancelWhenTheConnectionBreaksWhileItWaitsTellsItsOutcome() {
        delayQueue.schedule(request(SAFE, "a").build());
        replica.suspend();
        CompletableFuture<CancelOutcome> stage =
                delayQueue.async().cancel(SAFE, "a").toCompletableFuture();
        await().pollInterval(Duration.ofMillis(5)).until(() -> !isOn(onMaster, SAFE, "a") && isBlocked());

        onMaster.clientKill(KillArgs.Builder.typeNormal().skipme());

        TaskNotReplicatedException ex = failure(stage);
        assertThat(ex.outcome()).isEqualTo(CancelOutcome.CANCELLED);
        assertThat(ex.reached()).isZero();
    }

    @Test
    void cancelWhenAKeyOfAnotherShardInItsRoundIsBadIsCountedAllTheSame() {
        String good = idIn(0);
        String bad = idIn(1);
        delayQueue.schedule(request(SAFE, good).build());
        onMaster.set(prefix + ":{" + SAFE + ":1}:leases", "foreign");
        replica.suspend();
        CompletableFuture<ScheduleResult> before =
                delayQueue.async().schedule(request(SAFE, idIn(0, 2)).build()).toCompletableFuture();
        await().pollInterval(Duration.ofMillis(5)).until(ReplicasIntegrationTests::isBlocked);
        CompletableFuture<CancelOutcome> counted =
                delayQueue.async().cancel(SAFE, good).toCompletableFuture();
        CompletableFuture<CancelOutcome> refused =
                delayQueue.async().cancel(SAFE, bad).toCompletableFuture();
        replica.resume();

        assertThat(counted.join()).isEqualTo(CancelOutcome.CANCELLED);
        assertThat(refused)
                .failsWithin(TIMEOUT)
                .withThrowableOfType(ExecutionException.class)
                .withCauseInstanceOf(TaskStoreCorruptException.class);
        before.exceptionally(late -> null).join();
    }

    @Test
    void scheduleWhileTheNumberOfShardsChangesIsOnTheReplicaOrSaysSo() throws Exception {
        QueueCatalog queues = queues(1);
        TaskStore store = store(connections, PATIENCE);
        try (Shardings shardings = new Shardings(store.shardings(), queues, new Scheduler());
                ShardMigrations migrations =
                        new ShardMigrations(store, shardings, new Scheduler().worker(), Duration.ofMillis(100))) {
            Resharding resharding = new Resharding(store, shardings);
            TaskStoreAdmin admin = new TaskStoreAdmin(store, queues, shardings, resharding);
            DelayQueueTemplate resharded = template(store, queues, shardings);
            // Learns of a change only from the store.
            DelayQueueTemplate stale = template(store, queues, Shardings.fixed(queues));
            migrations.watch(SAFE);
            List<Integer> missed = new ArrayList<>();
            for (int i = 0; i < 600; i++) {
                if (i == 100) {
                    admin.reshard(SAFE, 4);
                } else if (i == 300) {
                    replica.suspend();
                } else if (i == 303) {
                    replica.resume();
                }
                String id = "a" + i;
                try {
                    (i % 2 == 0 ? resharded : stale).schedule(request(SAFE, id).build());
                    assertThat(isOn(onReplica, SAFE, id)).as(id).isTrue();
                } catch (TaskNotReplicatedException ex) {
                    assertThat(isOn(onMaster, SAFE, id)).as(id).isTrue();
                    missed.add(i);
                }
            }
            assertThat(missed)
                    .as("those while the replica stood still, and few where the machine did")
                    .contains(300, 301, 302)
                    .hasSizeLessThan(15);
            await().atMost(Duration.ofSeconds(20))
                    .until(() -> !admin.sharding(SAFE).isMigrating());
            assertThat(admin.stats(SAFE).delayed()).isEqualTo(600);
            assertThat(onMaster.waitForReplication(1, 2000)).isEqualTo(1);
            for (int shard = 0; shard < 4; shard++) {
                String tasks = prefix + ":{" + SAFE + ":" + shard + "}:tasks";
                assertThat(onReplica.hkeys(tasks))
                        .as(tasks)
                        .isNotEmpty()
                        .containsExactlyInAnyOrderElementsOf(onMaster.hkeys(tasks));
            }
        }
    }

    private static String idIn(int shard) {
        return idIn(shard, 1);
    }

    private static String idIn(int shard, int which) {
        return IntStream.range(0, 1000)
                .mapToObj(i -> "id" + i)
                .filter(id -> Sharding.initial(2).homeOf(id) == shard)
                .skip(which - 1)
                .findFirst()
                .orElseThrow();
    }

    private static boolean isBlocked() {
        return onMaster.info("clients").contains("blocked_clients:1");
    }

    @Test
    void scheduleWhenScriptsWereFlushedSendsThemAnew() {
        onMaster.scriptFlush();

        delayQueue.schedule(request(PLAIN, "a").minReplicas(1).build());

        assertThat(isOn(onReplica, PLAIN, "a")).isTrue();
    }

    @Test
    void callsWhenTheyEndLeaveNoTraceOfTheNoopWrite() {
        delayQueue.schedule(request(SAFE, "a").build());

        assertThat(delayQueue.cancel(SAFE, "a")).isEqualTo(CancelOutcome.CANCELLED);

        assertThat(onMaster.keys(prefix + ":*")).allMatch(key -> key.endsWith(":sharding"));
    }

    @Test
    void scheduleWhenTheNumberOfReplicasCannotBeIsRefused() {
        assertThatExceptionOfType(InvalidTaskException.class)
                .isThrownBy(() ->
                        delayQueue.schedule(request(PLAIN, "a").minReplicas(-1).build()))
                .withMessageContaining("0 to 16");
    }
}
