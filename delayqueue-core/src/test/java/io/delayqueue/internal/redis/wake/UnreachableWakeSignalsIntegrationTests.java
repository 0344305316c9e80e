// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.redis.wake;

import static org.awaitility.Awaitility.await;

import io.delayqueue.internal.redis.RedisKeys;
import io.delayqueue.internal.store.WakeSignals;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/** Heartbeats where nothing listens at the address of Redis. */
class UnreachableWakeSignalsIntegrationTests {

    private static final Duration HEARTBEAT = Duration.ofSeconds(2);
    private static final int QUEUES = 20;
    private static final int MOST_FAILURES = 3;

    private final CountingFactory factory = new CountingFactory();
    private RedisWakeSignals signals;

    @AfterEach
    void close() {
        signals.close();
        factory.destroy();
    }

    @Test
    void beatWhenRedisCannotBeReachedEndsAfterAFewChannels() {
        factory.afterPropertiesSet();
        factory.start();
        signals = new RedisWakeSignals(factory, new RedisKeys("test"), HEARTBEAT);
        for (int i = 0; i < QUEUES; i++) {
            signals.listen("queue-" + i, new Deaf());
        }

        await("the first beat").atMost(Duration.ofSeconds(20)).until(() -> factory.tries.get() >= MOST_FAILURES);
        await("no more tries in it")
                .during(HEARTBEAT.dividedBy(2))
                .atMost(HEARTBEAT)
                .until(() -> factory.tries.get() == MOST_FAILURES);
    }

    /** Counts who wants a connection. */
    private static final class CountingFactory extends LettuceConnectionFactory {

        private final AtomicInteger tries = new AtomicInteger();

        CountingFactory() {
            super(new RedisStandaloneConfiguration("127.0.0.1", 1));
        }

        @Override
        public RedisConnection getConnection() {
            tries.incrementAndGet();
            return super.getConnection();
        }
    }

    /** Does nothing with what it hears. */
    private static final class Deaf implements WakeSignals.Listener {

        @Override
        public void wake(int shard) {}

        @Override
        public void wakeAll() {}
    }
}
