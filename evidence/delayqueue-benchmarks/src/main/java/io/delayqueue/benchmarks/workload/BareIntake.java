// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.benchmarks.workload;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.DefaultConsumer;
import com.rabbitmq.client.Envelope;
import io.delayqueue.benchmarks.server.BrokerQueue;
import io.delayqueue.benchmarks.server.Place;
import io.lettuce.core.LettuceFutures;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.RedisURI;
import io.lettuce.core.ScoredValue;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.ByteArrayCodec;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A limit, not a peer: for each batch of up to 500 messages, makes one ZADD and one HSET, then one acknowledgement.
 * Stores only bodies, and does not handle redelivery, replacement or cancels. Has the prefetch and the batch size of an
 * intake.
 */
final class BareIntake implements Consumption {

    private static final String INDEX = "{bare-intake}:index";
    private static final byte[] TASKS = "{bare-intake}:tasks".getBytes(StandardCharsets.US_ASCII);
    private static final int PREFETCH = 1_000;
    private static final int BATCH = 500;

    private final String queue;
    private final Connection broker;
    private final RedisClient client;
    private final StatefulRedisConnection<byte[], byte[]> redis;
    private long stored;
    private volatile boolean stopping;
    private @Nullable Thread thread;

    BareIntake(Place place, String queue) {
        this.queue = queue;
        this.broker = BrokerQueue.connect(place);
        this.client = RedisClient.create(RedisURI.create(place.redis()));
        this.redis = client.connect(ByteArrayCodec.INSTANCE);
    }

    @Override
    public String index() {
        return INDEX;
    }

    @Override
    public void start() {
        stopping = false;
        thread = new Thread(this::consume, "bare-intake");
        thread.start();
    }

    @Override
    public void stop() {
        stopping = true;
        try {
            if (thread != null) {
                thread.join();
            }
        } catch (InterruptedException ex) {
            Thread.currentThread().interrupt();
        }
    }

    private void consume() {
        BlockingQueue<Received> arrived = new LinkedBlockingQueue<>();
        try {
            Channel channel = broker.createChannel();
            channel.basicQos(PREFETCH);
            channel.basicConsume(queue, false, new DefaultConsumer(channel) {
                @Override
                public void handleDelivery(
                        String tag, Envelope envelope, AMQP.BasicProperties properties, byte[] body) {
                    arrived.add(new Received(envelope.getDeliveryTag(), properties, body));
                }
            });
            List<Received> batch = new ArrayList<>();
            while (!stopping) {
                Received first = arrived.poll(50, TimeUnit.MILLISECONDS);
                if (first != null) {
                    batch.clear();
                    batch.add(first);
                    arrived.drainTo(batch, BATCH - 1);
                    store(batch);
                    channel.basicAck(batch.get(batch.size() - 1).tag(), true);
                }
            }
            channel.abort();
        } catch (IOException ex) {
            throw new UncheckedIOException(ex);
        } catch (InterruptedException ex) {
            Thread.currentThread().interrupt();
        }
    }

    @SuppressWarnings("unchecked")
    private void store(List<Received> batch) {
        Map<byte[], byte[]> bodies = new HashMap<>();
        List<ScoredValue<byte[]>> index = new ArrayList<>(batch.size());
        long now = System.currentTimeMillis();
        for (Received message : batch) {
            byte[] id = ("bare" + stored++).getBytes(StandardCharsets.US_ASCII);
            Number delay = (Number)
                    Objects.requireNonNull(message.properties().getHeaders().get("x-delay"));
            bodies.put(id, message.body());
            index.add(ScoredValue.just(now + delay.longValue(), id));
        }
        RedisFuture<?> indexed =
                redis.async().zadd(INDEX.getBytes(StandardCharsets.US_ASCII), index.toArray(ScoredValue[]::new));
        RedisFuture<?> kept = redis.async().hset(TASKS, bodies);
        if (!LettuceFutures.awaitAll(Duration.ofSeconds(30), indexed, kept)) {
            throw new IllegalStateException("Redis does not answer");
        }
    }

    @Override
    public void close() {
        stop();
        broker.abort();
        client.shutdown(Duration.ZERO, Duration.ofSeconds(2));
    }

    private record Received(long tag, AMQP.BasicProperties properties, byte[] body) {}
}
