// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.benchmarks.subject;

import io.delayqueue.benchmarks.server.Place;
import io.lettuce.core.LettuceFutures;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.output.IntegerOutput;
import io.lettuce.core.protocol.AsyncCommand;
import io.lettuce.core.protocol.Command;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import java.time.Duration;
import java.util.List;

/**
 * A limit, not a peer: ZADD and HSET, one of each for a batch, pipelined, and a script that pops a hundred. No
 * identity, no lease, no second attempt.
 */
class BareRedisSubject implements Subject {

    private static final String INDEX = "{bare}:index";
    private static final String TASKS = "{bare}:tasks";
    static final String[] KEYS = {INDEX, TASKS};
    private static final String POP = """
            local due = redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', ARGV[1], 'LIMIT', 0, 100)
            if #due == 0 then return due end
            local payloads = redis.call('HMGET', KEYS[2], unpack(due))
            redis.call('ZREM', KEYS[1], unpack(due))
            redis.call('HDEL', KEYS[2], unpack(due))
            return payloads
            """;

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final RedisClient client;
    private final StatefulRedisConnection<String, String> connection;
    private final Threads threads = new Threads();

    BareRedisSubject(Place place, Need need) {
        this.client = RedisClient.create(RedisURI.create(place.redis()));
        this.connection = client.connect();
        Sink sink = need.sink();
        if (sink != null) {
            StatefulRedisConnection<String, String> popping = client.connect();
            String sha = popping.sync().scriptLoad(POP);
            threads.repeat(() -> {
                List<String> payloads = popping.sync()
                        .evalsha(sha, ScriptOutputType.MULTI, KEYS, String.valueOf(System.currentTimeMillis()));
                payloads.forEach(sink::arrived);
                if (payloads.isEmpty()) {
                    Thread.sleep(1);
                }
            });
        }
    }

    final StatefulRedisConnection<String, String> connection() {
        return connection;
    }

    @Override
    public void schedule(Task task) {
        scheduleAll(List.of(task));
    }

    /** Two commands, however many tasks, that go to Redis together. */
    @Override
    public void scheduleAll(List<Task> tasks) {
        CommandArgs<String, String> payloads = key(TASKS);
        CommandArgs<String, String> index = key(INDEX);
        for (Task task : tasks) {
            payloads.add(task.id()).add(task.payload());
            index.add(task.dueAt()).add(task.id());
        }
        pipelined(CommandType.HSET, payloads, CommandType.ZADD, index);
    }

    @Override
    public boolean cancel(Task task) {
        return pipelined(
                        CommandType.HDEL,
                        key(TASKS).add(task.id()),
                        CommandType.ZREM,
                        key(INDEX).add(task.id()))
                == 1;
    }

    private static CommandArgs<String, String> key(String key) {
        return new CommandArgs<>(StringCodec.UTF8).addKey(key);
    }

    /** Sends both by one write, whoever else uses the connection, and answers what the second did. */
    private long pipelined(
            CommandType first,
            CommandArgs<String, String> firstArgs,
            CommandType second,
            CommandArgs<String, String> secondArgs) {
        AsyncCommand<String, String, Long> one = command(first, firstArgs);
        AsyncCommand<String, String, Long> other = command(second, secondArgs);
        connection.dispatch(List.of(one, other));
        if (!LettuceFutures.awaitAll(PATIENCE, one, other)) {
            throw new IllegalStateException("Redis does not answer");
        }
        return other.toCompletableFuture().join();
    }

    private static AsyncCommand<String, String, Long> command(CommandType type, CommandArgs<String, String> args) {
        return new AsyncCommand<>(new Command<>(type, new IntegerOutput<>(StringCodec.UTF8), args));
    }

    @Override
    public long pending() {
        return connection.sync().zcard(INDEX);
    }

    @Override
    public void close() {
        threads.close();
        client.shutdown(Duration.ZERO, Duration.ofSeconds(2));
    }
}
