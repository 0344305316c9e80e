// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.redis;

import io.lettuce.core.RedisFuture;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import java.lang.reflect.Proxy;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** Answers scripts as a test says, without a server. */
final class FakeRedis {

    private FakeRedis() {}

    /** Each script, by its hash or with its text, gets the next reply. */
    @SuppressWarnings("unchecked")
    static RedisClusterAsyncCommands<byte[], byte[]> answering(Supplier<CompletionStage<?>> replies) {
        return (RedisClusterAsyncCommands<byte[], byte[]>) Proxy.newProxyInstance(
                FakeRedis.class.getClassLoader(),
                new Class<?>[] {RedisClusterAsyncCommands.class},
                (proxy, method, args) -> new Reply(replies.get()));
    }

    /** As Lettuce gives it. */
    private static final class Reply extends CompletableFuture<Object> implements RedisFuture<Object> {

        Reply(CompletionStage<?> answer) {
            answer.whenComplete((value, error) -> {
                if (error == null) {
                    complete(value);
                } else {
                    completeExceptionally(error);
                }
            });
        }

        @Override
        public String getError() {
            throw new UnsupportedOperationException("The code under test reads errors from the future");
        }

        @Override
        public boolean await(long timeout, TimeUnit unit) {
            throw new UnsupportedOperationException("The code under test must not block");
        }
    }
}
