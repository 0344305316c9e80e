// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.redis;

import io.delayqueue.DelayQueueException;
import io.delayqueue.internal.store.SendPermit;
import io.delayqueue.internal.store.TaskStore;
import io.lettuce.core.RedisConnectionException;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.api.async.RedisAsyncCommands;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.cluster.SlotHash;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import io.lettuce.core.cluster.models.partitions.RedisClusterNode;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/** Runs scripts on the connection that all calls share. */
final class ScriptRunner {

    private static final long BETWEEN_DROPS_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

    /** The driver makes a broken connection again within that time, if it can. */
    private static final Duration PATIENCE = Duration.ofMillis(500);

    private final LettuceConnectionFactory connectionFactory;
    private final Duration budget;
    private final NodeOutages outages;
    private final RedisFailures failures = new RedisFailures();
    private final ScheduledExecutorService timer = ScriptCall.timer();
    private final ConnectionWatch watch;
    /** By server; each has scripts of its own. Whom the driver takes for another costs a text more. */
    private final ConcurrentMap<String, ScriptLoads> loads = new ConcurrentHashMap<>();

    private volatile @Nullable CompletableFuture<RedisClusterAsyncCommands<byte[], byte[]>> commands;
    private long lastDropNanos = System.nanoTime() - BETWEEN_DROPS_NANOS;

    ScriptRunner(LettuceConnectionFactory connectionFactory, Duration budget) {
        this.connectionFactory = connectionFactory;
        this.budget = budget;
        this.outages = new NodeOutages(patience());
        WeakReference<ScriptRunner> used = new WeakReference<>(this);
        this.watch = new ConnectionWatch(timer, () -> {
            ScriptRunner runner = used.get(); // a store that nobody uses any more has no connection to look after
            return runner != null && runner.lookAfterConnection();
        });
    }

    /**
     * Within the time of a call another server may take over. Where there is no other one, a call waits only as long as a
     * broken connection takes to be made again.
     */
    private Duration patience() {
        boolean mayTakeOver = connectionFactory.isClusterAware() || connectionFactory.isRedisSentinelAware();
        return mayTakeOver || budget.compareTo(PATIENCE) < 0 ? budget : PATIENCE;
    }

    /**
     * Runs a script on keys of a shard.
     *
     * @param what the call, for messages: names the queue and the id
     */
    <T> CompletableFuture<T> run(Script script, ShardKeys shard, String what, byte[]... args) {
        return run(script, shard, what, new SendPermit(), args);
    }

    /**
     * Runs a script, unless its caller waits no longer before it is sent.
     *
     * @param permit taken each time that it is sent
     */
    <T> CompletableFuture<T> run(Script script, ShardKeys shard, String what, SendPermit permit, byte[]... args) {
        return begin(new Call<>(script, shard.of(script), what, permit, () -> {}, args));
    }

    /**
     * Runs a script whose arguments are others when it is sent again.
     *
     * @param beforeSending run before each time that it is sent; may put other arguments into the array
     */
    <T> CompletableFuture<T> run(Script script, ShardKeys shard, String what, Runnable beforeSending, byte[]... args) {
        return begin(new Call<>(script, shard.of(script), what, new SendPermit(), beforeSending, args));
    }

    /** Runs a script on a key that is not a shard's. */
    <T> CompletableFuture<T> run(Script script, String key, String what, byte[]... args) {
        return begin(new Call<>(script, new byte[][] {RedisBytes.bytes(key)}, what, new SendPermit(), () -> {}, args));
    }

    private static <T> CompletableFuture<T> begin(Call<T> call) {
        call.attempt();
        return call.result();
    }

    /** Names the server that holds a key, as far as is known; all keys on the same where that is not a cluster's. */
    String serverOf(byte[] key) {
        RedisClusterNode node = null;
        if (isConnected() && connectionFactory.getNativeClient() instanceof RedisClusterClient cluster) {
            node = cluster.getPartitions().getPartitionBySlot(SlotHash.getSlot(key));
        }
        return (node != null) ? node.getNodeId() : TaskStore.ONLY_SERVER;
    }

    /** A client that never was would first look for the cluster's nodes. */
    private boolean isConnected() {
        CompletableFuture<RedisClusterAsyncCommands<byte[], byte[]>> current = commands;
        return current != null && current.isDone() && !current.isCompletedExceptionally();
    }

    /** Counts the calls that fail, also those that go by other connections. */
    RedisFailures failures() {
        return failures;
    }

    /** For calls that go by other connections. */
    ScheduledExecutorService timer() {
        return timer;
    }

    /**
     * One attempt to connect at a time, on a thread of its own: callers do not wait in it, but for its outcome. Nor for that
     * while the server is known to be away.
     */
    private CompletableFuture<RedisClusterAsyncCommands<byte[], byte[]>> commands() {
        CompletableFuture<RedisClusterAsyncCommands<byte[], byte[]>> current = commands;
        if (current != null && current.isDone() && !current.isCompletedExceptionally()) {
            return current;
        }
        if (current != null && outages.isAway(TaskStore.ONLY_SERVER, System.nanoTime())) {
            return CompletableFuture.failedFuture(new RedisConnectionException("Redis cannot be reached for now"));
        }
        return (current != null && !current.isCompletedExceptionally()) ? current : connect();
    }

    /** Notes that a call could not be sent. Returns whether it may be tried again in its time. */
    boolean noteUnsent(byte[] key) {
        String server = serverOf(key);
        if (connectionFactory.isClusterAware()) {
            return server.equals(TaskStore.ONLY_SERVER) || !outages.noteUnsent(server, System.nanoTime());
        }
        watch.begin();
        return !outages.noteUnsent(server, System.nanoTime());
    }

    /** Notes that a server has answered, which ends what was noted against it. */
    void noteAnswer(byte[] key) {
        if (!outages.isEmpty()) {
            outages.sent(serverOf(key));
        }
    }

    /** Makes another connection where the one that there is does not open; the driver alone would pause for longer and longer. */
    private boolean lookAfterConnection() {
        if (!connectionFactory.isRunning()) {
            return false;
        }
        CompletableFuture<RedisClusterAsyncCommands<byte[], byte[]>> current = commands;
        if (isOpen(current)) {
            outages.sent(TaskStore.ONLY_SERVER);
            return false;
        }
        boolean away = outages.noteUnsent(TaskStore.ONLY_SERVER, System.nanoTime());
        if (current == null || current.isCompletedExceptionally() || (away && current.isDone())) {
            reconnect(current);
        }
        return true;
    }

    private synchronized void reconnect(@Nullable CompletableFuture<RedisClusterAsyncCommands<byte[], byte[]>> failed) {
        if (commands == failed) {
            commands = CompletableFuture.supplyAsync(this::openConnection, ScriptCall::onNewThread);
        }
    }

    /** The one that the factory has, if it is open: somebody else may have made it. */
    private RedisClusterAsyncCommands<byte[], byte[]> openConnection() {
        RedisClusterAsyncCommands<byte[], byte[]> shared = nativeConnection();
        return isOpen(shared) ? shared : newConnection();
    }

    private static boolean isOpen(@Nullable CompletableFuture<RedisClusterAsyncCommands<byte[], byte[]>> current) {
        return current != null && current.isDone() && !current.isCompletedExceptionally() && isOpen(current.join());
    }

    private static boolean isOpen(RedisClusterAsyncCommands<byte[], byte[]> commands) {
        StatefulConnection<byte[], byte[]> single = singleConnection(commands);
        return single != null && single.isOpen();
    }

    /** Null for one to a cluster. From its commands the driver offers no other way to a connection than this. */
    @SuppressWarnings("deprecation")
    private static @Nullable StatefulConnection<byte[], byte[]> singleConnection(
            RedisClusterAsyncCommands<byte[], byte[]> commands) {
        return commands instanceof RedisAsyncCommands<byte[], byte[]> single ? single.getStatefulConnection() : null;
    }

    private synchronized CompletableFuture<RedisClusterAsyncCommands<byte[], byte[]>> connect() {
        CompletableFuture<RedisClusterAsyncCommands<byte[], byte[]>> current = commands;
        if (current == null || current.isCompletedExceptionally()) {
            current = CompletableFuture.supplyAsync(this::nativeConnection, ScriptCall::onNewThread);
            commands = current;
        }
        return current;
    }

    @SuppressWarnings("unchecked")
    private RedisClusterAsyncCommands<byte[], byte[]> nativeConnection() {
        try (RedisConnection connection = connectionFactory.getConnection()) {
            RedisClusterAsyncCommands<byte[], byte[]> commands =
                    (RedisClusterAsyncCommands<byte[], byte[]>) connection.getNativeConnection();
            StatefulConnection<byte[], byte[]> single = singleConnection(commands);
            if (single != null) {
                single.removeListener(watch);
                single.addListener(watch);
            }
            return commands;
        }
    }

    /** A connection that somebody else has closed never opens again; the factory has another one by now. */
    private synchronized void forget(RedisClusterAsyncCommands<byte[], byte[]> closed) {
        if (isCurrent(closed)) {
            commands = null;
        }
    }

    /**
     * Only a new connection finds the new master. Not too often: the old one's other calls are cut off, and there may
     * be no new master yet, or none to come. One to a cluster stays: it learns of a new master by itself, and other
     * nodes are well. Nobody waits while the old one closes, for that may need the thread that asks.
     */
    private synchronized void dropConnection(RedisClusterAsyncCommands<byte[], byte[]> failed) {
        long now = System.nanoTime();
        if (!connectionFactory.isClusterAware() && isCurrent(failed) && now - lastDropNanos > BETWEEN_DROPS_NANOS) {
            lastDropNanos = now;
            commands = CompletableFuture.supplyAsync(this::newConnection, ScriptCall::onNewThread);
        }
    }

    private boolean isCurrent(RedisClusterAsyncCommands<byte[], byte[]> on) {
        CompletableFuture<RedisClusterAsyncCommands<byte[], byte[]>> current = commands;
        return current != null && current.isDone() && !current.isCompletedExceptionally() && current.join() == on;
    }

    private RedisClusterAsyncCommands<byte[], byte[]> newConnection() {
        connectionFactory.resetConnection();
        return nativeConnection();
    }

    private final class Call<T> extends ScriptCall<RedisClusterAsyncCommands<byte[], byte[]>, T> {

        private final Script script;
        private final byte[][] keys;
        private final Runnable beforeSending;
        private final byte[][] args;

        Call(Script script, byte[][] keys, String what, SendPermit permit, Runnable beforeSending, byte[][] args) {
            super(script, what, budget, timer, permit);
            this.script = script;
            this.keys = keys;
            this.beforeSending = beforeSending;
            this.args = args;
        }

        @Override
        CompletableFuture<RedisClusterAsyncCommands<byte[], byte[]>> connection() {
            return commands();
        }

        @Override
        CompletionStage<T> sendHash(RedisClusterAsyncCommands<byte[], byte[]> on) {
            return sending(() -> {
                beforeSending.run();
                return script.byHash(on, keys, args);
            });
        }

        @Override
        CompletionStage<T> sendText(RedisClusterAsyncCommands<byte[], byte[]> on) {
            return sending(() -> script.byText(on, keys, args));
        }

        @Override
        boolean noteUnsent() {
            return ScriptRunner.this.noteUnsent(keys[0]);
        }

        @Override
        void noteFailed(DelayQueueException failure) {
            failures.note(failure);
        }

        @Override
        void noteAnswer() {
            ScriptRunner.this.noteAnswer(keys[0]);
        }

        @Override
        ScriptLoads loads(RedisClusterAsyncCommands<byte[], byte[]> on) {
            return ScriptRunner.this.loads.computeIfAbsent(serverOf(keys[0]), server -> new ScriptLoads());
        }

        @Override
        void noteFailure(RedisClusterAsyncCommands<byte[], byte[]> on, Throwable cause) {
            if (RedisErrors.isReplacedMaster(cause)) {
                dropConnection(on);
            } else if (RedisErrors.isClosed(cause)) {
                forget(on);
            }
        }
    }
}
