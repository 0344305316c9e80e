// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.benchmarks.subject;

import io.delayqueue.benchmarks.server.BrokerQueue;
import io.delayqueue.benchmarks.server.Place;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.springframework.amqp.core.MessageBuilder;
import org.springframework.amqp.core.MessageDeliveryMode;
import org.springframework.amqp.rabbit.connection.CachingConnectionFactory;
import org.springframework.amqp.rabbit.core.RabbitTemplate;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.core.RedisCallback;
import org.springframework.data.redis.core.StringRedisTemplate;
import org.springframework.data.redis.core.ZSetOperations.TypedTuple;
import org.springframework.data.redis.core.script.DefaultRedisScript;
import org.springframework.data.redis.core.script.RedisScript;

/**
 * A loop of the kind that teams write themselves: ZADD with the payload as member, and four threads that pop one due
 * member at a time with a script and pass it on, without confirms. They sleep if nothing is due.
 */
final class LoopSubject implements Subject {

    private static final int THREADS = 4;

    private static final RedisScript<String> POP = new DefaultRedisScript<>("""
            local due = redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', ARGV[1], 'LIMIT', 0, 1)
            if #due == 0 then return nil end
            redis.call('ZREM', KEYS[1], due[1])
            return due[1]
            """, String.class);

    private final LettuceConnectionFactory connections;
    private final StringRedisTemplate redis;
    private final int queues;
    private final boolean oneCommand;
    private final Threads threads = new Threads();
    private @Nullable CachingConnectionFactory broker;

    /** @param oneCommand whether a batch is one ZADD with all members, instead of one ZADD per member in a pipeline */
    LoopSubject(Place place, Need need, Duration sleep, boolean oneCommand) {
        this.queues = need.queues();
        this.oneCommand = oneCommand;
        this.connections = new LettuceConnectionFactory(new RedisStandaloneConfiguration(
                place.redis().getHost(), place.redis().getPort()));
        connections.afterPropertiesSet();
        connections.start();
        this.redis = new StringRedisTemplate(connections);
        Sink sink = need.sink();
        BrokerQueue target = need.target();
        if (target != null) {
            CachingConnectionFactory factory = new CachingConnectionFactory(place.broker());
            this.broker = factory;
            sink = publishing(new RabbitTemplate(factory), target.name());
        }
        if (sink != null) {
            for (int queue = 0; queue < queues; queue++) {
                for (int thread = 0; thread < THREADS; thread++) {
                    deliver(key(queue), sink, sleep);
                }
            }
        }
    }

    private static Sink publishing(RabbitTemplate rabbit, String routingKey) {
        return payload -> rabbit.send(
                BrokerQueue.EXCHANGE,
                routingKey,
                MessageBuilder.withBody(payload.getBytes(StandardCharsets.UTF_8))
                        .setDeliveryMode(MessageDeliveryMode.PERSISTENT)
                        .build());
    }

    private void deliver(String key, Sink sink, Duration sleep) {
        List<String> keys = List.of(key);
        threads.repeat(() -> {
            String payload = redis.execute(POP, keys, String.valueOf(System.currentTimeMillis()));
            if (payload == null) {
                Thread.sleep(sleep.toMillis());
            } else {
                sink.arrived(payload);
            }
        });
    }

    private static String key(int queue) {
        return "loop:q" + queue;
    }

    @Override
    public void schedule(Task task) {
        redis.opsForZSet().add(key(task.queue()), task.payload(), task.dueAt());
    }

    @Override
    public void scheduleAll(List<Task> tasks) {
        if (oneCommand) {
            Map<Integer, Set<TypedTuple<String>>> byQueue = new HashMap<>();
            for (Task task : tasks) {
                byQueue.computeIfAbsent(task.queue(), queue -> new HashSet<>())
                        .add(TypedTuple.of(task.payload(), (double) task.dueAt()));
            }
            byQueue.forEach((queue, tuples) -> redis.opsForZSet().add(key(queue), tuples));
        } else {
            pipeline(tasks);
        }
    }

    @SuppressWarnings("NullAway") // The callback of a pipeline must return null.
    private void pipeline(List<Task> tasks) {
        redis.executePipelined((RedisCallback<@Nullable Object>) connection -> {
            for (Task task : tasks) {
                connection
                        .zSetCommands()
                        .zAdd(
                                key(task.queue()).getBytes(StandardCharsets.UTF_8),
                                task.dueAt(),
                                task.payload().getBytes(StandardCharsets.UTF_8));
            }
            return null;
        });
    }

    @Override
    public boolean cancel(Task task) {
        Long removed = redis.opsForZSet().remove(key(task.queue()), task.payload());
        return removed != null && removed == 1;
    }

    @Override
    public long pending() {
        return IntStream.range(0, queues).mapToLong(this::pending).sum();
    }

    @Override
    public long pending(int queue) {
        Long count = redis.opsForZSet().zCard(key(queue));
        return (count != null) ? count : 0;
    }

    @Override
    public void close() {
        threads.close();
        connections.destroy();
        if (broker != null) {
            broker.destroy();
        }
    }
}
