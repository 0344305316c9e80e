// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.cell;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.output.NestedMultiOutput;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.ProtocolKeyword;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;

/** Sends any command to a Redis server, on a separate connection. */
public final class RedisAdmin implements AutoCloseable {

    private static final Duration LIMIT = Duration.ofSeconds(5);

    private final RedisClient client;

    public RedisAdmin(URI server) {
        RedisURI uri = RedisURI.create(server);
        uri.setTimeout(LIMIT);
        this.client = RedisClient.create(uri);
    }

    /**
     * Sends a command and its arguments.
     *
     * @return the parts of the answer
     * @throws io.lettuce.core.RedisException if the server cannot be reached, refuses or is silent for 5 s
     */
    public List<Object> call(String... words) {
        try (StatefulRedisConnection<String, String> connection = client.connect()) {
            CommandArgs<String, String> arguments = new CommandArgs<>(StringCodec.UTF8);
            Arrays.stream(words).skip(1).forEach(arguments::add);
            return connection.sync().dispatch(new Word(words[0]), new NestedMultiOutput<>(StringCodec.UTF8), arguments);
        }
    }

    @Override
    public void close() {
        client.shutdown(Duration.ZERO, Duration.ofSeconds(2));
    }

    private record Word(String text) implements ProtocolKeyword {

        @Override
        public byte[] getBytes() {
            return text.getBytes(StandardCharsets.US_ASCII);
        }

        @Override
        public String toString() {
            return text;
        }
    }
}
