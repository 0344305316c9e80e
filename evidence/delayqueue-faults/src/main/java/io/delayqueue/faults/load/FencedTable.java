// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.load;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.StatefulRedisConnection;
import java.net.URI;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A table of the application, in a database separate from the queues, with the statement of the handlers' guide: {@code
 * UPDATE ... SET fence = :token WHERE id = :id AND fence < :token}. Safe for use by multiple threads.
 */
final class FencedTable implements AutoCloseable {

    private static final int DATABASE = 1;
    private static final String UPDATE = """
            local fence = redis.call('HGET', KEYS[1], ARGV[1])
            if fence and tonumber(fence) >= tonumber(ARGV[2]) then return fence end
            redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
            return ''
            """;

    private final RedisClient client;
    private final StatefulRedisConnection<String, String> connection;

    FencedTable(URI server) {
        RedisURI uri = RedisURI.create(server);
        uri.setDatabase(DATABASE);
        uri.setTimeout(Duration.ofSeconds(2));
        this.client = RedisClient.create(uri);
        this.connection = client.connect();
    }

    /** Writes if the stored token is lower. Otherwise returns the token that prevented the write. */
    @Nullable
    Long update(String queue, String id, long token) {
        String refusedBy = connection
                .sync()
                .eval(UPDATE, ScriptOutputType.VALUE, new String[] {"fences:" + queue}, id, Long.toString(token));
        return refusedBy.isEmpty() ? null : (Long) Long.parseLong(refusedBy);
    }

    @Override
    public void close() {
        client.shutdown(Duration.ZERO, Duration.ofSeconds(1));
    }
}
