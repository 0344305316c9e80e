// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.transaction;

import io.delayqueue.TaskStoreUnavailableException;
import io.delayqueue.TransactionMode;
import io.delayqueue.codec.JacksonPayloadCodec;
import io.delayqueue.internal.client.DelayQueueTemplate;
import io.delayqueue.internal.codec.PayloadCodecs;
import io.delayqueue.internal.queue.QueueCatalog;
import io.delayqueue.internal.queue.QueueSettingsBuilder;
import io.delayqueue.internal.queue.TaskBounds;
import io.delayqueue.internal.redis.StoreFixture;
import io.delayqueue.internal.store.InterceptedStore;
import io.delayqueue.internal.store.Shard;
import io.delayqueue.internal.store.TaskStore;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/** Two queues on a real Redis, and a store that notes its calls and can be away. */
final class TransactionalQueues implements AutoCloseable {

    private final StoreFixture redis = new StoreFixture();
    private final List<String> calls = Collections.synchronizedList(new ArrayList<>());
    private volatile boolean away;
    private volatile @Nullable String awayQueue;

    /** Without regard to transactions. */
    final DelayQueueTemplate plain;

    final DelayQueueTemplate template;

    TransactionalQueues(Function<TaskChanges, TransactionalCalls> transactions) {
        TaskStore store = InterceptedStore.around(redis.store(), this::call);
        this.plain = new DelayQueueTemplate(
                store,
                new QueueCatalog(List.of(
                        QueueSettingsBuilder.withDefaults("orders"), QueueSettingsBuilder.withDefaults("mails"))),
                new PayloadCodecs(List.of(new JacksonPayloadCodec(new JsonMapper()))),
                TaskBounds.DEFAULT);
        TransactionalCalls transactional = transactions.apply(plain.changes());
        this.template = plain.within(mode -> transactional, TransactionMode.OUTBOX);
    }

    private Object call(Object target, Method method, Object[] arguments) throws ReflectiveOperationException {
        if (method.getName().equals("serverOf") && arguments[0] instanceof Shard shard) {
            return shard.queue().equals(awayQueue) ? "another server" : TaskStore.ONLY_SERVER;
        }
        calls.add(method.getName());
        boolean shardAway = arguments.length > 0
                && arguments[0] instanceof Shard shard
                && shard.queue().equals(awayQueue);
        if ((away || shardAway) && CompletableFuture.class.isAssignableFrom(method.getReturnType())) {
            return CompletableFuture.failedFuture(new TaskStoreUnavailableException("Redis is away", false, null));
        }
        return method.invoke(target, arguments);
    }

    void goAway() {
        away = true;
    }

    /** Makes the server of one queue go away, while the other queue is on another server. */
    void goAway(String queue) {
        awayQueue = queue;
    }

    /** The names of the store's methods, in the order of the calls. */
    List<String> calls() {
        return List.copyOf(calls);
    }

    boolean has(String queue, String id) {
        return plain.find(queue, id, String.class).isPresent();
    }

    String payload(String queue, String id) {
        return plain.find(queue, id, String.class).orElseThrow().payload();
    }

    @Override
    public void close() {
        redis.close();
    }
}
