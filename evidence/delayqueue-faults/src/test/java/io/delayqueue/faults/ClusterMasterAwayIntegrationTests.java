// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delayqueue.ConflictPolicy;
import io.delayqueue.DueTime;
import io.delayqueue.delivery.Delivery;
import io.delayqueue.delivery.TaskContent;
import io.delayqueue.delivery.TaskDestination;
import io.delayqueue.internal.concurrent.Scheduler;
import io.delayqueue.internal.engine.Engine;
import io.delayqueue.internal.engine.InterceptorChain;
import io.delayqueue.internal.engine.QueueDelivery;
import io.delayqueue.internal.engine.RunningQueue;
import io.delayqueue.internal.redis.RedisConnections;
import io.delayqueue.internal.redis.RedisKeys;
import io.delayqueue.internal.redis.RedisTaskStore;
import io.delayqueue.internal.redis.wake.RedisWakeSignals;
import io.delayqueue.internal.sharding.QueueLayout;
import io.delayqueue.internal.sharding.QueueLayouts;
import io.delayqueue.internal.store.NewTask;
import io.delayqueue.internal.store.Shard;
import io.delayqueue.queue.QueueSettings;
import io.delayqueue.queue.RetryPolicy;
import io.delayqueue.queue.TriggerSettings;
import io.delayqueue.test.server.RedisCluster;
import io.delayqueue.test.server.RedisServer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.data.redis.connection.RedisClusterConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/**
 * A queue whose destination isolates suspects, as those of handlers do, while one master of a cluster does not answer.
 * The bound is one for a busy machine; the cells {@code cluster-master-*} judge more closely.
 */
class ClusterMasterAwayIntegrationTests {

    private static final Duration TIMEOUT = Duration.ofSeconds(2);
    private static final Duration LEASE = Duration.ofSeconds(5);
    private static final Duration BACK_STOP = Duration.ofSeconds(2);
    private static final int SHARDS = 12;
    private static final int TASKS_AWAY = 250;

    private static RedisCluster cluster;
    private static Replication subscribers;

    private final String queue = "away" + UUID.randomUUID().toString().substring(0, 8);
    private final Map<String, Long> latenessMillis = new ConcurrentHashMap<>();
    private final Set<Integer> delivered = ConcurrentHashMap.newKeySet();
    private RedisConnections connections;
    private RedisTaskStore store;
    private RedisWakeSignals signals;
    private Engine engine;
    private RunningQueue running;

    @BeforeAll
    static void startCluster() {
        cluster = RedisCluster.installed()
                .nodeTimeout(Duration.ofSeconds(1))
                .config("cluster-require-full-coverage no")
                .start();
        subscribers = new Replication(key -> cluster.masterOf(key).port());
    }

    @AfterAll
    static void stopCluster() {
        subscribers.close();
        cluster.close();
    }

    private void start(int threads) {
        RedisClusterConfiguration address = new RedisClusterConfiguration(cluster.uris().stream()
                .map(uri -> uri.getHost() + ":" + uri.getPort())
                .toList());
        UserOf.uri(cluster.uris().get(0)).logsIn(address);
        connections = RedisConnections.derive(new LettuceConnectionFactory(address), TIMEOUT, 10_000);
        RedisKeys keys = new RedisKeys("dq");
        store = new RedisTaskStore(connections, keys, TIMEOUT);
        signals = new RedisWakeSignals(connections, keys, RedisWakeSignals.DEFAULT_HEARTBEAT, new Scheduler());
        engine = Engine.over(store, QueueLayouts.fixed(name -> QueueLayout.initial(SHARDS)));
        QueueSettings settings = new QueueSettings(
                queue,
                SHARDS,
                "json",
                LEASE,
                3,
                new RetryPolicy(3, Duration.ofMillis(50), 2, Duration.ofMillis(200), 0.2),
                new TriggerSettings(true, threads, null, 1, BACK_STOP, Duration.ofSeconds(5)));
        running = engine.start(
                new QueueDelivery(settings, new Noting(), InterceptorChain.EMPTY), false, signals, signals);
    }

    @AfterEach
    void stop() {
        cluster.nodes().forEach(RedisServer::start);
        running.stop(Thread.currentThread());
        engine.close();
        signals.close();
        connections.close();
        cluster.awaitHealthy();
    }

    @ParameterizedTest
    @CsvSource({"FROZEN, 1", "KILLED, 8"})
    void scanWhenOneMasterIsAwayIsOnTimeForTheShardsOfTheOthers(Absence absence, int threads) {
        scanWithoutOneMaster(absence, threads);
    }

    @ParameterizedTest
    @CsvSource({"FROZEN, 8", "KILLED, 1"})
    @Tag("long")
    void scanWhenOneMasterIsAwayIsOnTimeWithOtherThreadsToo(Absence absence, int threads) {
        scanWithoutOneMaster(absence, threads);
    }

    private void scanWithoutOneMaster(Absence absence, int threads) {
        start(threads);
        await("the connections").ignoreExceptions().untilAsserted(() -> schedule(0, "first-0", Duration.ZERO));
        IntStream.range(1, SHARDS).forEach(shard -> schedule(shard, "first-" + shard, Duration.ZERO));
        await().until(() -> delivered.size() == SHARDS);
        RedisServer away = cluster.nodes().stream()
                .filter(node -> !subscribers.hasSubscriber(node))
                .findFirst()
                .orElseThrow();
        List<Integer> missing = shards(shard -> cluster.masterOf(key(shard)) == away);
        List<Integer> healthy = shards(shard -> cluster.masterOf(key(shard)) != away);
        assertThat(missing).hasSizeGreaterThan(1);
        assertThat(healthy).hasSizeGreaterThan(1);
        for (int i = 0; i < 200; i++) {
            schedule(missing.get(i % missing.size()), "missing-" + i, Duration.ofMillis(20L * i));
        }
        absence.begin.accept(away);
        try {
            for (int i = 0; i < TASKS_AWAY; i++) {
                Instant due = Instant.now().plusMillis(100);
                schedule(healthy.get(i % healthy.size()), "healthy-" + i, due);
                await().pollDelay(Duration.ZERO)
                        .pollInterval(Duration.ofMillis(2))
                        .until(() -> Instant.now().isAfter(due.minusMillis(85)));
            }
            await().until(() -> countOf("healthy-") == TASKS_AWAY);
        } finally {
            absence.end.accept(away);
        }
        List<Long> late = latenessMillis.entrySet().stream()
                .filter(entry -> entry.getKey().startsWith("healthy-"))
                .map(Map.Entry::getValue)
                .sorted()
                .toList();
        assertThat(late.get(late.size() * 99 / 100)).as("p99 in ms, of " + late).isLessThan(1000);

        await().atMost(LEASE.plus(BACK_STOP.multipliedBy(2))).until(() -> countOf("missing-") == 200);
    }

    private long countOf(String prefix) {
        return latenessMillis.keySet().stream()
                .filter(id -> id.startsWith(prefix))
                .count();
    }

    private static List<Integer> shards(java.util.function.IntPredicate which) {
        return IntStream.range(0, SHARDS).filter(which).boxed().toList();
    }

    private String key(int shard) {
        return "dq:{" + queue + ":" + shard + "}:index";
    }

    private void schedule(int shard, String id, Duration delay) {
        schedule(shard, id, Instant.now().plus(delay));
    }

    private void schedule(int shard, String id, Instant due) {
        NewTask task = new NewTask(
                id,
                new byte[16],
                DueTime.at(due),
                ConflictPolicy.REPLACE,
                new TaskContent("application/json", Map.of(), new byte[10]),
                0);
        store.tasks().schedule(new Shard(queue, shard), List.of(task)).join();
    }

    private enum Absence {
        FROZEN(RedisServer::suspend, RedisServer::resume),
        KILLED(RedisServer::kill, RedisServer::start);

        private final Consumer<RedisServer> begin;
        private final Consumer<RedisServer> end;

        Absence(Consumer<RedisServer> begin, Consumer<RedisServer> end) {
            this.begin = begin;
            this.end = end;
        }
    }

    private final class Noting implements TaskDestination {

        @Override
        public void deliver(List<Delivery> deliveries) {
            for (Delivery delivery : new ArrayList<>(deliveries)) {
                delivery.begin();
                delivered.add(delivery.shard());
                latenessMillis.put(
                        delivery.id(),
                        Duration.between(delivery.dueAt(), Instant.now()).toMillis());
                delivery.acknowledge();
            }
        }

        @Override
        public boolean deliversOneByOne() {
            return true;
        }
    }
}
