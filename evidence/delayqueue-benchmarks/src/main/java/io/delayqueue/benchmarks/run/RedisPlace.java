// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.benchmarks.run;

import io.delayqueue.benchmarks.result.Run;
import io.delayqueue.benchmarks.server.Place;
import io.delayqueue.test.server.RabbitServer;
import io.delayqueue.test.server.RedisCluster;
import io.delayqueue.test.server.RedisServer;
import java.net.URI;
import org.jspecify.annotations.Nullable;

/** A fresh Redis for one run: a server, or a cluster of three. */
final class RedisPlace implements AutoCloseable {

    private final URI address;
    private final boolean cluster;
    private final AutoCloseable servers;

    RedisPlace(String variant) {
        this.cluster = variant.equals(Run.CLUSTER);
        if (cluster) {
            RedisCluster nodes =
                    RedisCluster.installed().config("appendonly no").start();
            this.servers = nodes;
            this.address = nodes.uris().get(0);
        } else {
            RedisServer server = RedisServer.installed()
                    .config(variant.equals(Run.EVERYSEC) ? "appendfsync everysec" : "appendonly no")
                    .start();
            this.servers = server;
            this.address = server.uri();
        }
    }

    /** Returns the place with a broker, if there is one. */
    Place with(@Nullable RabbitServer rabbit) {
        return (rabbit == null)
                ? new Place(address, cluster, null, 0)
                : new Place(address, cluster, rabbit.uri(), pid(rabbit));
    }

    private static long pid(RabbitServer rabbit) {
        try {
            return rabbit.pid();
        } catch (UnsupportedOperationException ex) {
            return 0; // Another program started it, maybe on another machine.
        }
    }

    @Override
    public void close() {
        try {
            servers.close();
        } catch (Exception ex) {
            throw new IllegalStateException("Redis could not be stopped", ex);
        }
    }
}
