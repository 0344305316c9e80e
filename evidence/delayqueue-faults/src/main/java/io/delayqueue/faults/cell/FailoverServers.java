// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.cell;

import io.delayqueue.test.server.RabbitServer;
import io.delayqueue.test.server.RedisServer;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * Redis servers with failover, and the other servers of a run.
 *
 * @param <R> the group of Redis servers
 */
abstract class FailoverServers<R> implements Servers {

    private final ServersBesideRedis beside = new ServersBesideRedis();
    private final R redis;
    private final Consumer<R> stop;

    FailoverServers(Supplier<R> start, Consumer<R> stop) {
        this.stop = stop;
        try {
            this.redis = start.get();
        } catch (RuntimeException ex) {
            beside.close();
            throw ex;
        }
    }

    final RabbitServer rabbit() {
        return beside.rabbit();
    }

    public final R redis() {
        return redis;
    }

    /** Returns one server that stores tasks. */
    abstract RedisServer one();

    /** Returns the properties with the addresses of the Redis servers. */
    abstract List<String> addresses();

    /** Returns the prefixes of the properties that contain the user. */
    abstract List<String> userPrefixes();

    /** Returns the versions, such as {@code Redis 7.0.15 with 2 replicas}. */
    abstract String redisVersions();

    @Override
    public List<String> forApplications() {
        List<String> properties = new ArrayList<>();
        userPrefixes().forEach(prefix -> properties.addAll(ServersBesideRedis.redisUser(prefix, one())));
        properties.addAll(addresses());
        properties.add(brokerOfApplications());
        return properties;
    }

    /** Returns the property with the broker's address and the applications' user there, who may only publish. */
    String brokerOfApplications() {
        return beside.publisherProperty();
    }

    @Override
    public final List<String> forObserver() {
        List<String> properties = new ArrayList<>(addresses());
        properties.add(beside.rabbitProperty());
        return properties;
    }

    static String hostsAndPorts(List<URI> uris) {
        return uris.stream().map(uri -> uri.getHost() + ":" + uri.getPort()).collect(Collectors.joining(","));
    }

    @Override
    public final URI clock() {
        return beside.clock();
    }

    @Override
    public final String versions() {
        return redisVersions() + ", " + beside.rabbitVersion();
    }

    @Override
    public void close() {
        stop.accept(redis);
        beside.close();
    }
}
