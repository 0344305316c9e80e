// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.redis;

import io.delayqueue.ConflictPolicy;
import io.delayqueue.Due;
import io.delayqueue.internal.admin.TaskStoreAdmin;
import io.delayqueue.internal.concurrent.Scheduler;
import io.delayqueue.internal.queue.QueueCatalog;
import io.delayqueue.internal.redis.RedisKeys.QueueKey;
import io.delayqueue.internal.redis.wake.RedisWakeSignals;
import io.delayqueue.internal.sharding.Resharding;
import io.delayqueue.internal.sharding.Shardings;
import io.delayqueue.internal.store.Acquires;
import io.delayqueue.internal.store.NewTask;
import io.delayqueue.internal.store.QueueClock;
import io.delayqueue.internal.store.Settlement;
import io.delayqueue.internal.store.Shard;
import io.delayqueue.internal.store.StoreCalls;
import io.delayqueue.internal.store.TaskStore;
import io.delayqueue.internal.store.TestStores;
import io.delayqueue.internal.store.WakeSignals;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.output.StatusOutput;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.LongSupplier;
import java.util.function.ToIntFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A store on the shared embedded Redis, with separate keys, for tests outside this package. */
public final class StoreFixture implements AutoCloseable {

    /** The library's user on {@link #port}, for another process. */
    public static final String USER = TestRedis.USER;

    public static final String PASSWORD = TestRedis.PASSWORD;

    private static final StringCodec LATIN = new StringCodec(StandardCharsets.ISO_8859_1);

    private final TestRedis redis = TestRedis.shared(RedisBinary.EMBEDDED_6_2);
    private final String prefix = "t" + UUID.randomUUID().toString().substring(0, 8);
    private final RedisKeys keys = new RedisKeys(prefix);
    private final TaskStore store;
    private final Runnable atClose;
    private final RedisWakeSignals wakeSignals = wakeSignals(Duration.ofSeconds(10));

    public StoreFixture() {
        this.store = TestStores.of(
                redis.connections(), keys, TestRedis.TIMEOUT, ContractStore::historyLength, QueueClock.SERVERS);
        this.atClose = () -> {};
    }

    /** Creates a store with histories of these lengths on a clock that may stand still. */
    public StoreFixture(ToIntFunction<String> historyLengths, QueueClock clock) {
        this.store = TestStores.of(redis.connections(), keys, TestRedis.TIMEOUT, historyLengths, clock);
        this.atClose = () -> {};
    }

    /** One whose commands have another time-out. */
    public StoreFixture(Duration commandTimeout) {
        this(commandTimeout, 10_000);
    }

    /** Creates a store with a lower limit of calls that wait for a reply. */
    public StoreFixture(Duration commandTimeout, int requestQueueSize) {
        RedisConnections connections = redis.connections(USER, PASSWORD, commandTimeout, requestQueueSize);
        this.store = TestStores.of(connections, keys, commandTimeout);
        this.atClose = connections::close;
    }

    /** Makes the server run no script for this time; scripts that arrive in the meantime run afterwards. */
    public void holdScripts(Duration time) {
        redis.raw()
                .dispatch(
                        CommandType.CLIENT,
                        new StatusOutput<>(LATIN),
                        new CommandArgs<>(LATIN)
                                .add("PAUSE")
                                .add(time.toMillis())
                                .add("WRITE"));
    }

    /** Makes the server forget all scripts. */
    public void forgetScripts() {
        redis.forgetScripts();
    }

    /** Returns whether a script has arrived at the server and is held, or waits for replicas. */
    public boolean isScriptHeld() {
        return !redis.raw().info("clients").contains("blocked_clients:0");
    }

    /** Makes the server refuse what needs memory, or ends that. */
    public void setFull(boolean full) {
        redis.node().configSet("maxmemory", full ? "1" : "0");
    }

    /** How many scripts the server has run, held ones not counted. */
    public long scriptCalls() {
        Matcher calls = Pattern.compile("cmdstat_evalsha:calls=(\\d+)")
                .matcher(redis.raw().info("commandstats"));
        return calls.find() ? Long.parseLong(calls.group(1)) : 0;
    }

    /** Returns the port of the server, for another process. */
    public int port() {
        return redis.server().port();
    }

    /** The prefix of all keys, for another process. */
    public String prefix() {
        return prefix;
    }

    /** Returns the contents of the index by id. */
    public Map<String, Long> index(Shard shard) {
        Map<String, Long> index = new HashMap<>();
        String key = prefix + ":{" + shard.queue() + ":" + shard.index() + "}:index";
        redis.raw()
                .zrangeWithScores(key, 0, -1)
                .forEach(member -> index.put(member.getValue(), (long) member.getScore()));
        return index;
    }

    /** Returns the violations of invariant 1; empty for none. */
    public String brokenInvariant(Shard shard) {
        return ShardState.read(redis.raw(), prefix, shard).brokenInvariant();
    }

    /** Makes dead tasks of these ids, in a shard that has nothing due. */
    public void makeDead(Shard shard, List<String> ids) {
        makeDead(shard, ids, 1);
    }

    /** @param request another one than that of a task which is there */
    public void makeDead(Shard shard, List<String> ids, int request) {
        for (int from = 0; from < ids.size(); from += TaskStore.MAX_BATCH) {
            List<String> batch = ids.subList(from, Math.min(from + TaskStore.MAX_BATCH, ids.size()));
            StoreCalls.schedule(
                            store,
                            shard,
                            batch.stream()
                                    .map(id -> StoreContract.task(
                                            id, request, new Due(false, 0), ConflictPolicy.REPLACE, "{}"))
                                    .toList())
                    .join();
            var acquired = store.leases()
                    .acquire(shard, Acquires.of(500, Duration.ofMinutes(1), 10, 1 << 20, 500))
                    .join();
            store.leases()
                    .settle(
                            shard,
                            acquired.tasks().stream()
                                    .map(task -> Settlement.dead(task.id(), acquired.token(), false, "out of attempts"))
                                    .toList())
                    .join();
        }
    }

    /** Returns a task that is due in a day. */
    public NewTask task(String id) {
        return StoreContract.task(id, 1, Due.after(Duration.ofDays(1)), ConflictPolicy.REPLACE, "{}");
    }

    /** An admin of queues whose sharding does not change but by it. */
    public TaskStoreAdmin admin(QueueCatalog queues) {
        Shardings shardings = Shardings.fixed(queues);
        return new TaskStoreAdmin(store, queues, shardings, new Resharding(store, shardings));
    }

    /** As a server that is started anew. */
    public void loseScripts() {
        redis.forgetScripts();
    }

    /** As a failover may. */
    public void loseSharding(String queue) {
        redis.raw().del(keys.of(QueueKey.SHARDING, queue));
    }

    /** As a failover may, to an earlier one. */
    public void recordSharding(String queue, String sharding) {
        redis.raw().set(keys.of(QueueKey.SHARDING, queue), sharding);
    }

    /** Takes a snapshot. The returned action goes back to it, as a Redis that is restored from a backup. */
    public Runnable snapshot() {
        Map<String, byte[]> dumps = new HashMap<>();
        redis.raw()
                .keys(prefix + ":*")
                .forEach(key -> dumps.put(key, redis.raw().dump(key)));
        return () -> {
            redis.raw().keys(prefix + ":*").forEach(redis.raw()::del);
            dumps.forEach((key, dump) -> redis.raw().restore(key, 0, dump));
        };
    }

    /** Makes one of a shard's keys unusable for scripts. */
    public void damage(Shard shard, String part) {
        redis.raw().del(key(shard, part));
        redis.raw().lpush(key(shard, part), "x");
    }

    /**
     * Writes to a shard as this library never would. Latin-1: each character is a byte.
     *
     * @param part the key's last part
     */
    public void put(Shard shard, String part, String id, String record) {
        redis.raw().hset(key(shard, part), id, record);
    }

    /** Like {@link #put(Shard, String, String, String)}, a score. */
    public void put(Shard shard, String part, String id, double score) {
        redis.raw().zadd(key(shard, part), score, id);
    }

    /** Like {@link #put(Shard, String, String, String)}, a string. */
    public void put(Shard shard, String part, String value) {
        redis.raw().set(key(shard, part), value);
    }

    /** Writes a string, by a key without its prefix. */
    public void put(String key, String value) {
        redis.raw().set(prefix + ":" + key, value);
    }

    /** Takes back what {@link #damage} did. */
    public void remove(Shard shard, String part) {
        redis.raw().del(key(shard, part));
    }

    /** A dead task that something else left there. */
    public void putDead(Shard shard, String id, double diedAt) {
        put(shard, "tasks", id, "");
        put(shard, "dead", id, diedAt);
    }

    /** Gives out a stored text as JSON. */
    public void makeJson(Shard shard, String id) {
        String envelope = redis.raw().hget(key(shard, "tasks"), id);
        put(shard, "tasks", id, envelope.substring(0, 18) + '\u0001' + envelope.substring(19));
    }

    /** The dead tasks: ids and last reasons, in bytes. */
    public Map<String, String> dead(Shard shard) {
        Map<String, String> dead = new HashMap<>();
        for (String id : redis.raw().zrange(key(shard, "dead"), 0, -1)) {
            String record = redis.raw().hget(key(shard, "attempts"), id);
            dead.put(
                    id,
                    record == null
                            ? ""
                            : record.replaceFirst("^(?:[^:]*:){5}", "").replaceFirst("\u001e(?s:.*)", ""));
        }
        return dead;
    }

    private String key(Shard shard, String part) {
        return prefix + ":{" + shard.queue() + ":" + shard.index() + "}:" + part;
    }

    /** Returns the tasks held for a migration, by id. */
    public Map<String, String> holds(Shard shard) {
        return ShardState.read(redis.raw(), prefix, shard).holds();
    }

    public TaskStore store() {
        return store;
    }

    /** Another one on the same keys, whose clock is ahead of the server's. */
    public TaskStore store(LongSupplier aheadMillis) {
        return TestStores.of(redis.connections(), keys, TestRedis.TIMEOUT, aheadMillis);
    }

    /** A hash, by a key without its prefix. */
    public Map<String, String> hash(String key) {
        return redis.raw().hgetall(prefix + ":" + key);
    }

    /** Writes to a hash. */
    public void putHash(String key, String field, String value) {
        redis.raw().hset(prefix + ":" + key, field, value);
    }

    /** When a key expires. */
    public long millisToLive(String key) {
        return redis.raw().pttl(prefix + ":" + key);
    }

    public WakeSignals wakeSignals() {
        return wakeSignals;
    }

    /** Returns the wake signals of another process on the same queues; closing them simulates its death. */
    public RedisWakeSignals wakeSignals(Duration heartbeat) {
        return new RedisWakeSignals(redis.connections(), keys, heartbeat, new Scheduler());
    }

    /** The Redis server's clock, in epoch milliseconds. */
    public long serverMillis() {
        var time = redis.raw().time();
        return Long.parseLong(time.get(0)) * 1000 + Long.parseLong(time.get(1)) / 1000;
    }

    /** Behaves like a killed process: acquires and never settles. */
    public void acquireAndForget(String queue, int tasks, Duration lease) {
        var acquired = store.leases()
                .acquire(new Shard(queue, 0), Acquires.of(tasks, lease, 10, 1 << 20, tasks))
                .join();
        if (acquired.tasks().size() != tasks) {
            throw new AssertionError("acquired only " + acquired.tasks().size());
        }
    }

    @Override
    public void close() {
        redis.raw().eval("return 1", ScriptOutputType.INTEGER); // those that are held run first
        wakeSignals.close();
        atClose.run();
    }
}
