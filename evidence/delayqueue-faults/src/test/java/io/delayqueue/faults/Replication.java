// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults;

import io.delayqueue.test.server.RedisServer;
import io.lettuce.core.ClientListArgs;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.ToIntFunction;

/** Looks at servers from beside: whether a replica has what its master has acknowledged, and who listens where. */
final class Replication implements AutoCloseable {

    private static final long WAIT_MILLIS = 500;

    private final RedisClient client = RedisClient.create();
    private final ToIntFunction<String> portOfMaster;

    /** @param portOfMaster where the master of a key listens now */
    Replication(ToIntFunction<String> portOfMaster) {
        this.portOfMaster = portOfMaster;
        client.setOptions(ClientOptions.builder().autoReconnect(false).build());
    }

    ReplicaWait replicaWait() {
        return new ReplicaWait();
    }

    /** Whether a subscriber is connected to this server. */
    boolean hasSubscriber(RedisServer server) {
        try (StatefulRedisConnection<String, String> connection = client.connect(address(server.port()))) {
            return !connection
                    .sync()
                    .clientList(ClientListArgs.Builder.typePubsub())
                    .isBlank();
        }
    }

    private static RedisURI address(int port) {
        return RedisURI.builder()
                .withHost("127.0.0.1")
                .withPort(port)
                .withTimeout(Duration.ofSeconds(2))
                .build();
    }

    @Override
    public void close() {
        client.shutdown(Duration.ZERO, Duration.ofSeconds(2));
    }

    /**
     * For one thread. A write of its own to the master that was there before the call, and a {@code WAIT} on that same
     * connection: the replica then has everything up to that write, the call's included. If the master changed in
     * between, the write is refused or the connection is gone, and nothing is claimed.
     */
    final class ReplicaWait implements AutoCloseable {

        private final Map<String, StatefulRedisConnection<String, String>> masters = new HashMap<>();
        private String key = "";

        /** To be called before the call that writes this key. */
        void expect(String nextKey) {
            key = nextKey;
            masters.computeIfAbsent(key, this::connect);
        }

        private StatefulRedisConnection<String, String> connect(String toMasterOf) {
            try {
                return client.connect(address(portOfMaster.applyAsInt(toMasterOf)));
            } catch (RuntimeException notNow) {
                return null;
            }
        }

        boolean sawReplicaCatchUp() {
            StatefulRedisConnection<String, String> master = masters.get(key);
            if (master == null) {
                return false;
            }
            try {
                RedisCommands<String, String> redis = master.sync();
                redis.set(key + ":wait", "");
                return redis.waitForReplication(1, WAIT_MILLIS) >= 1;
            } catch (RedisException ex) {
                masters.remove(key).close();
                return false;
            }
        }

        @Override
        public void close() {
            masters.values().forEach(StatefulRedisConnection::close);
        }
    }
}
