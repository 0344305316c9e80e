// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayqueue.delivery.OpenDelivery;
import io.delayqueue.delivery.Outcome;
import io.delayqueue.delivery.TaskDestination;
import io.delayqueue.internal.concurrent.Scheduler;
import io.delayqueue.internal.queue.QueueSettingsBuilder;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Workers of several queues on the same threads. */
@Timeout(20)
class BatchWorkersTests {

    private final ExecutorService shared = Executors.newCachedThreadPool();
    private final EngineThreads engine = new EngineThreads(new Scheduler());
    private final NotedDeliveries deliveries = new NotedDeliveries();
    private final BlockingQueue<String> said = new LinkedBlockingQueue<>();

    @AfterEach
    void close() {
        shared.shutdownNow();
        engine.close();
    }

    private BatchWorkers workers(String queue, Supplier<String> delivering) {
        TaskDestination destination = new TaskDestination() {
            @Override
            public void deliver(List<OpenDelivery> batch) {
                said.add(delivering.get());
                batch.forEach(delivery -> delivery.settle(Outcome.delivered()));
            }
        };
        QueueDelivery delivery =
                new QueueDelivery(QueueSettingsBuilder.withDefaults(queue), destination, InterceptorChain.EMPTY);
        ScanLoop loop = new ScanLoop(queue, engine, true, Duration.ofMinutes(1), () -> {});
        return new BatchWorkers(
                delivery, new Handover(delivery, null), shared, new WorkQueue(delivery, () -> false, loop));
    }

    private List<LeasedDelivery> batch(String id) {
        return List.of(deliveries.delivery(id));
    }

    @Test
    void startGivesThreadsANameOfTheQueueForAsLongAsTheyDeliver() throws Exception {
        CountDownLatch both = new CountDownLatch(2);
        BatchWorkers orders = workers("orders", () -> {
            both.countDown();
            await(both);
            return Thread.currentThread().getName();
        });

        orders.start(batch("a"));
        orders.start(batch("b"));

        assertThat(new String[] {said.take(), said.take()})
                .containsExactlyInAnyOrder("delayqueue-orders-1", "delayqueue-orders-2");
        shared.submit(() -> said.add(Thread.currentThread().getName())).get();
        assertThat(said.take()).doesNotStartWith("delayqueue-orders-");
    }

    @Test
    void interruptLeavesTheThreadsOfOtherQueuesAloneAndReleasesLaterBatches() throws Exception {
        CountDownLatch begun = new CountDownLatch(2);
        CountDownLatch end = new CountDownLatch(1);
        Supplier<String> delivering = () -> {
            begun.countDown();
            return Thread.currentThread().getName() + (await(end) ? " ended" : " interrupted");
        };
        BatchWorkers orders = workers("orders", delivering);
        BatchWorkers mails = workers("mails", delivering);
        orders.start(batch("a"));
        mails.start(batch("b"));
        begun.await();

        orders.interruptAllBut(Thread.currentThread());

        assertThat(said.take()).isEqualTo("delayqueue-orders-1 interrupted");
        List<LeasedDelivery> late = batch("c");
        orders.start(late);
        assertThat(late.get(0).isEnded()).as("released").isTrue();
        end.countDown();
        assertThat(said.take()).isEqualTo("delayqueue-mails-1 ended");
        assertThat(said).isEmpty();
    }

    private static boolean await(CountDownLatch latch) {
        try {
            latch.await();
            return true;
        } catch (InterruptedException ex) {
            return false;
        }
    }
}
