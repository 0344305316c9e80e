// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.benchmarks.subject;

import io.delayqueue.benchmarks.server.Place;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.redisson.Redisson;
import org.redisson.api.RBlockingQueue;
import org.redisson.api.RDelayedQueue;
import org.redisson.api.RFuture;
import org.redisson.api.RedissonClient;
import org.redisson.client.codec.StringCodec;
import org.redisson.config.Config;

/**
 * Redisson's RDelayedQueue with its default settings and the plain string codec. Four threads take from a single queue,
 * but only one thread from each of several queues, because each thread occupies a connection. A batch is a sequence of
 * offers without waiting in between.
 */
@SuppressWarnings("deprecation")
final class RedissonSubject implements Subject {

    private static final int THREADS = 4;

    private final RedissonClient redisson;
    private final List<RDelayedQueue<String>> delayed = new ArrayList<>();
    private final Threads threads = new Threads();

    RedissonSubject(Place place, Need need) {
        Config config = new Config();
        config.setCodec(StringCodec.INSTANCE);
        config.useSingleServer()
                .setAddress("redis://" + place.redis().getHost() + ":"
                        + place.redis().getPort());
        this.redisson = Redisson.create(config);
        Sink sink = need.sink();
        for (int queue = 0; queue < need.queues(); queue++) {
            RBlockingQueue<String> due = redisson.getBlockingQueue("redisson:q" + queue);
            delayed.add(redisson.getDelayedQueue(due));
            for (int thread = 0; sink != null && thread < (need.queues() == 1 ? THREADS : 1); thread++) {
                threads.repeat(() -> sink.arrived(due.take()));
            }
        }
    }

    @Override
    public void schedule(Task task) {
        delayed.get(task.queue()).offer(task.payload(), delay(task), TimeUnit.MILLISECONDS);
    }

    @Override
    public void scheduleAll(List<Task> tasks) {
        List<RFuture<Void>> offers = new ArrayList<>(tasks.size());
        for (Task task : tasks) {
            offers.add(delayed.get(task.queue()).offerAsync(task.payload(), delay(task), TimeUnit.MILLISECONDS));
        }
        offers.forEach(offer -> offer.toCompletableFuture().join());
    }

    private static long delay(Task task) {
        return Math.max(0, task.dueAt() - System.currentTimeMillis());
    }

    @Override
    public boolean cancel(Task task) {
        return delayed.get(task.queue()).remove(task.payload());
    }

    @Override
    public long pending() {
        return delayed.stream().mapToLong(RDelayedQueue::size).sum();
    }

    @Override
    public long pending(int queue) {
        return delayed.get(queue).size();
    }

    @Override
    public void close() {
        threads.close();
        delayed.forEach(RDelayedQueue::destroy);
        redisson.shutdown(0, 2, TimeUnit.SECONDS);
    }
}
