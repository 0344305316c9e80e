// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.test.server;

import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.output.StatusOutput;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;

/**
 * A real Redis with replicas and three Sentinels that replace a failed master, all {@code redis-server} processes on
 * the loopback interface, controlled by a test.
 *
 * <pre>{@code
 * try (RedisSentinels redis = RedisSentinels.installed().replicas(2).start()) {
 *     redis.master().kill();   // a replica takes over after the down-after time
 *     redis.failover();        // one takes over at once
 * }
 * }</pre>
 *
 * <p>The servers are ordinary handles: each can be killed, frozen and started again on its port and data. Calls block
 * until they have taken effect, are thread-safe, and fail with {@link TestServerException} or the driver's exceptions.
 */
public final class RedisSentinels implements AutoCloseable {

    /** The name of the master at the Sentinels. */
    public static final String MASTER_NAME = "delayqueue";

    static final int SENTINELS = 3;

    private static final Duration LIMIT = Duration.ofSeconds(30);

    private final List<RedisServer> servers;
    private final List<RedisServer> sentinels;
    private final ServerFolder programFolder;
    private final RedisCalls calls = new RedisCalls();

    RedisSentinels(List<RedisServer> servers, List<RedisServer> sentinels, ServerFolder programFolder) {
        this.servers = List.copyOf(servers);
        this.sentinels = List.copyOf(sentinels);
        this.programFolder = programFolder;
    }

    /** Returns a builder for the {@code redis-server} on the {@code PATH}. */
    public static RedisSentinelsBuilder installed() {
        return new RedisSentinelsBuilder(RedisServerBuilder.Source.INSTALLED);
    }

    /** Returns a builder for the executable in the {@code embedded-redis} jar, Redis 6.2. */
    public static RedisSentinelsBuilder embedded() {
        return new RedisSentinelsBuilder(RedisServerBuilder.Source.EMBEDDED);
    }

    /** Returns the addresses of the Sentinels. */
    public List<URI> sentinelUris() {
        return sentinels.stream().map(RedisServer::uri).toList();
    }

    /** Returns the Sentinels, which store no data. */
    public List<RedisServer> sentinels() {
        return sentinels;
    }

    /** Returns the master and the replicas, running or not. */
    public List<RedisServer> servers() {
        return servers;
    }

    /** Returns the master according to a running Sentinel. */
    public RedisServer master() {
        RedisServer sentinel = sentinels.stream()
                .filter(RedisServer::isRunning)
                .findFirst()
                .orElseThrow(() -> new TestServerException("No Sentinel runs"));
        return server(masterAt(sentinel));
    }

    /**
     * Promotes a replica ({@code SENTINEL FAILOVER}) and waits until all Sentinels report it. The old master accepts
     * writes for another ten seconds, and then loses them.
     */
    public void failover() {
        RedisServer before = master();
        calls.onSentinel(sentinels.get(0), sentinel -> sentinel.failover(MASTER_NAME));
        awaitAnotherMasterThan(before);
    }

    /**
     * Like {@link #failover()}, but without loss: the old master blocks all writes ({@code CLIENT PAUSE … WRITE}) and
     * then follows the new one at once.
     */
    public void switchOver() {
        RedisServer before = master();
        client(before, "PAUSE", Long.toString(LIMIT.toMillis()), "WRITE");
        failover();
        rejoin(before);
        client(before, "UNPAUSE");
    }

    private void client(RedisServer server, String... arguments) {
        CommandArgs<String, String> args = new CommandArgs<>(StringCodec.UTF8);
        Arrays.stream(arguments).forEach(args::add);
        calls.on(server, redis -> redis.dispatch(CommandType.CLIENT, new StatusOutput<>(StringCodec.UTF8), args));
    }

    /** Waits until all running Sentinels report another master. */
    public void awaitAnotherMasterThan(RedisServer before) {
        await(
                "another master than " + before,
                () -> sentinels.stream()
                        .filter(RedisServer::isRunning)
                        .allMatch(sentinel -> masterAt(sentinel) != before.port()));
    }

    /**
     * Starts a former master as a replica of the present one. Sentinels would also do this, after about ten seconds.
     */
    public void rejoin(RedisServer former) {
        former.start();
        RedisServer master = master();
        if (former != master) {
            calls.on(former, redis -> redis.replicaof(master.host(), master.port()));
        }
    }

    /**
     * Waits until every server runs and follows the master, and the Sentinels know all of them and could replace the
     * master.
     */
    public void awaitHealthy() {
        await(
                "all replicas to follow the master",
                () -> servers.stream()
                        .filter(server -> server.port() != master().port())
                        .allMatch(replica -> calls.on(replica, redis -> redis.info("replication"))
                                .contains("master_link_status:up")));
        await(
                "the Sentinels to see everyone",
                () -> sentinels.stream().filter(RedisServer::isRunning).allMatch(this::couldFailOver));
    }

    private boolean couldFailOver(RedisServer sentinel) {
        Map<String, String> master = calls.onSentinel(sentinel, redis -> redis.master(MASTER_NAME));
        List<Map<String, String>> replicas = calls.onSentinel(sentinel, redis -> redis.replicas(MASTER_NAME));
        long usable = replicas.stream()
                .filter(replica -> "slave".equals(replica.get("flags")))
                .filter(replica -> "ok".equals(replica.get("master-link-status")))
                .count();
        return "master".equals(master.get("flags"))
                && Integer.toString(SENTINELS - 1).equals(master.get("num-other-sentinels"))
                && usable == servers.size() - 1;
    }

    private int masterAt(RedisServer sentinel) {
        InetSocketAddress address =
                (InetSocketAddress) calls.onSentinel(sentinel, redis -> redis.getMasterAddrByName(MASTER_NAME));
        return address.getPort();
    }

    private RedisServer server(int port) {
        return servers.stream()
                .filter(server -> server.port() == port)
                .findFirst()
                .orElseThrow(() -> new TestServerException("Not a server of ours: port " + port));
    }

    private static void await(String what, BooleanSupplier condition) {
        if (!Pause.until(LIMIT, condition)) {
            throw new TestServerException("Waited " + LIMIT.toSeconds() + " s in vain for " + what);
        }
    }

    /** Ends all servers and deletes their data. */
    @Override
    public void close() {
        calls.close();
        List<RedisServer> all = new ArrayList<>(sentinels);
        all.addAll(servers);
        all.forEach(RedisServer::close);
        programFolder.delete();
    }
}
