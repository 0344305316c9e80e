// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.benchmarks.subject;

import io.delayqueue.benchmarks.server.Place;
import io.lettuce.core.LettuceFutures;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.RedisURI;
import io.lettuce.core.ScoredValue;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.StatefulRedisConnection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A limit, not a peer: one HSET and one ZADD for a batch. Neither command waits for the other's reply, and each is a
 * separate write. A script pops a hundred tasks. There is no identity, no lease and no retry.
 */
class BareRedisSubject implements Subject {

    static final String INDEX = "{bare}:index";
    static final String TASKS = "{bare}:tasks";
    static final String[] KEYS = {INDEX, TASKS};
    private static final String POP = """
            local due = redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', ARGV[1], 'LIMIT', 0, 100)
            if #due == 0 then return due end
            local payloads = redis.call('HMGET', KEYS[2], unpack(due))
            redis.call('ZREM', KEYS[1], unpack(due))
            redis.call('HDEL', KEYS[2], unpack(due))
            return payloads
            """;

    private final RedisClient client;
    private final StatefulRedisConnection<String, String> connection;
    private final Threads threads = new Threads();
    private final String popSha;

    BareRedisSubject(Place place, Need need) {
        this.client = RedisClient.create(RedisURI.create(place.redis()));
        this.connection = client.connect();
        this.popSha = connection.sync().scriptLoad(POP);
        Sink sink = need.sink();
        if (sink != null) {
            StatefulRedisConnection<String, String> popping = client.connect();
            threads.repeat(() -> {
                List<String> payloads = pop(popping);
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

    /** Pops up to a hundred due tasks with one script call. */
    final List<String> pop(StatefulRedisConnection<String, String> by) {
        return by.sync().evalsha(popSha, ScriptOutputType.MULTI, KEYS, String.valueOf(System.currentTimeMillis()));
    }

    @Override
    public void schedule(Task task) {
        scheduleAll(List.of(task));
    }

    /** Sends two commands for any number of tasks. */
    @Override
    @SuppressWarnings("unchecked")
    public void scheduleAll(List<Task> tasks) {
        Map<String, String> payloads = new HashMap<>();
        List<ScoredValue<String>> index = new ArrayList<>(tasks.size());
        for (Task task : tasks) {
            payloads.put(task.id(), task.payload());
            index.add(ScoredValue.just(task.dueAt(), task.id()));
        }
        RedisFuture<?> stored = connection.async().hset(TASKS, payloads);
        RedisFuture<?> indexed = connection.async().zadd(INDEX, index.toArray(ScoredValue[]::new));
        if (!LettuceFutures.awaitAll(Duration.ofSeconds(30), stored, indexed)) {
            throw new IllegalStateException("Redis does not answer");
        }
    }

    @Override
    public boolean cancel(Task task) {
        connection.async().hdel(TASKS, task.id());
        return connection.sync().zrem(INDEX, task.id()) == 1;
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
