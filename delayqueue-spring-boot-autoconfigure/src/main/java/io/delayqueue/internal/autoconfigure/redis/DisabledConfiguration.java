// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.autoconfigure.redis;

import io.delayqueue.DelayQueueException;
import io.delayqueue.internal.autoconfigure.settings.DelayQueueProperties;
import io.delayqueue.internal.calls.Replicated;
import io.delayqueue.internal.calls.SendPermit;
import io.delayqueue.internal.queue.QueueCatalog;
import io.delayqueue.internal.redis.RedisConnections;
import io.delayqueue.internal.redis.RedisKeys;
import io.delayqueue.internal.redis.ScriptRequest;
import io.delayqueue.internal.redis.ScriptRunner;
import io.delayqueue.internal.sharding.Shardings;
import io.delayqueue.internal.store.QueueClock;
import io.delayqueue.internal.store.TaskStore;
import io.delayqueue.internal.store.WakeSignals;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * Replaces Redis if {@code delayqueue.enabled} is {@code false}: the application starts without a connection, and every
 * call that needs Redis fails, so that no task is dropped silently.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnBooleanProperty(name = "delayqueue.enabled", havingValue = false)
public class DisabledConfiguration {

    @Bean
    TaskStore delayQueueTaskStore(DelayQueueProperties properties) {
        Duration timeout = properties.redis().commandTimeout();
        return new TaskStore(new RefusedScripts(timeout), new RedisKeys("dq"), timeout, queue -> 0, QueueClock.SERVERS);
    }

    @Bean
    Shardings delayQueueShardings(QueueCatalog queues) {
        return Shardings.fixed(queues);
    }

    @Bean
    WakeSignals delayQueueWakeSignals() {
        return (queue, listener) -> {
            throw refusal();
        };
    }

    private static DelayQueueException refusal() {
        return new DelayQueueException("The delay queues are disabled (delayqueue.enabled is false): nothing is "
                + "scheduled, changed, found or delivered");
    }

    /** Runner that refuses every script. */
    private static final class RefusedScripts extends ScriptRunner {

        RefusedScripts(Duration timeout) {
            super(
                    new RedisConnections(
                            () -> {
                                throw refusal();
                            },
                            timeout,
                            1),
                    timeout,
                    timeout);
        }

        @Override
        public <T> CompletableFuture<T> run(ScriptRequest request) {
            return CompletableFuture.failedFuture(refusal());
        }

        @Override
        public <T> CompletableFuture<Replicated<T>> run(int replicas, ScriptRequest request, SendPermit permit) {
            return CompletableFuture.failedFuture(refusal());
        }

        @Override
        public String serverOf(byte[] key) {
            return TaskStore.ONLY_SERVER;
        }
    }
}
