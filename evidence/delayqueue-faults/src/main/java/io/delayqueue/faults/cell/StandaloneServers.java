// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.cell;

import io.delayqueue.internal.redis.rights.RedisRights;
import io.delayqueue.test.server.RabbitServer;
import io.delayqueue.test.server.RedisServer;
import io.delayqueue.test.server.RedisServerBuilder;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;

/**
 * One Redis that syncs its append-only file at every write, and one RabbitMQ. On both, the user of the applications has
 * only the permissions that the library needs.
 */
public class StandaloneServers implements Servers {

    /** The Redis user of the applications. */
    public static final String USER = "application";

    private static final String PASSWORD = "faults";
    private static final RedisRights RIGHTS = RedisRights.ofEveryPrefix();

    private final RedisServer redis;
    private final RabbitServer rabbit;
    private final RedisAdmin admin;

    public StandaloneServers() {
        this(configured(RedisServer.installed()).start());
    }

    /** Uses a running Redis that was {@link #configured}, and ends it with this object. */
    StandaloneServers(RedisServer redis) {
        this.redis = redis;
        this.rabbit = startRabbit(redis);
        this.admin = new RedisAdmin(redis.adminUri());
    }

    static RedisServerBuilder configured(RedisServerBuilder redis) {
        return redis.config("appendfsync always").config(RIGHTS.user(USER, PASSWORD));
    }

    private static RabbitServer startRabbit(RedisServer redis) {
        try {
            return RabbitServer.installed().start();
        } catch (RuntimeException ex) {
            redis.close();
            throw ex;
        }
    }

    public final RedisServer redis() {
        return redis;
    }

    public final RabbitServer rabbit() {
        return rabbit;
    }

    /** Revokes all permissions of the applications' Redis user. */
    public final void revokeRights() {
        admin.call("ACL", "SETUSER", USER, "-@all");
    }

    /** Restores the permissions. */
    public final void restoreRights() {
        List<String> words = new ArrayList<>(List.of("ACL", "SETUSER", USER));
        words.addAll(RIGHTS.rules());
        admin.call(words.toArray(String[]::new));
    }

    /** Returns a connection for commands to the Redis server. */
    public final RedisAdmin admin() {
        return admin;
    }

    @Override
    public List<String> forApplications() {
        return through(redis.port(), rabbit.port());
    }

    /** Returns the properties of applications that reach the servers at these ports. */
    final List<String> through(int redisPort, int rabbitPort) {
        return List.of(
                redisProperty(redisPort),
                "spring.rabbitmq.addresses=amqp://" + brokerUser(rabbit) + "@127.0.0.1:" + rabbitPort);
    }

    /** Returns the broker's user of the applications, with the password. */
    String brokerUser(RabbitServer broker) {
        return broker.publisherUri().getUserInfo();
    }

    /** Returns how applications reach a Redis that was {@link #configured}. */
    static String redisProperty(int port) {
        return "spring.data.redis.url=redis://" + USER + ":" + PASSWORD + "@127.0.0.1:" + port;
    }

    @Override
    public List<String> forObserver() {
        return List.of("spring.data.redis.url=" + redis.adminUri(), "spring.rabbitmq.addresses=" + rabbit.uri());
    }

    @Override
    public URI clock() {
        return redis.adminUri();
    }

    @Override
    public String versions() {
        boolean isValkey = String.valueOf(admin.call("INFO", "server")).contains("valkey_version");
        return (isValkey ? "Valkey " : "Redis ") + redis.version() + ", " + RabbitVersion.of(rabbit);
    }

    @Override
    public void close() {
        admin.close();
        rabbit.close();
        redis.close();
    }
}
