// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(20)
class WorkerPoolTests {

    private final ExecutorService shared = Executors.newCachedThreadPool();
    private final BlockingQueue<String> said = new LinkedBlockingQueue<>();

    @AfterEach
    void close() {
        shared.shutdownNow();
    }

    @Test
    void executeWhenThreadsAreSharedLendsThemTheNameOfTheTrigger() throws Exception {
        WorkerPool orders = WorkerPool.of(new WorkerThreads("orders-", 0, false), shared);
        CountDownLatch both = new CountDownLatch(2);
        for (int i = 0; i < 2; i++) {
            orders.execute(() -> {
                both.countDown();
                await(both);
                said.add(Thread.currentThread().getName());
            });
        }
        assertThat(new String[] {said.take(), said.take()}).containsExactlyInAnyOrder("orders-1", "orders-2");
        shared.submit(() -> said.add(Thread.currentThread().getName())).get();
        assertThat(said.take()).doesNotStartWith("orders-");
    }

    @Test
    void interruptWhenAnotherTriggerHasTheThreadByNowLeavesItAlone() throws Exception {
        WorkerPool orders = WorkerPool.of(new WorkerThreads("orders-", 0, false), shared);
        WorkerPool mails = WorkerPool.of(new WorkerThreads("mails-", 0, false), shared);
        CountDownLatch begun = new CountDownLatch(2);
        CountDownLatch end = new CountDownLatch(1);
        Runnable work = () -> {
            begun.countDown();
            said.add(Thread.currentThread().getName().charAt(0) + (await(end) ? " ended" : " interrupted"));
        };
        orders.execute(work);
        mails.execute(work);
        begun.await();
        orders.interruptAllBut(Thread.currentThread());
        assertThat(said.take()).isEqualTo("o interrupted");
        end.countDown();
        assertThat(said.take()).isEqualTo("m ended");
        assertThatExceptionOfType(RejectedExecutionException.class).isThrownBy(() -> orders.execute(work));
    }

    @Test
    void executeWhenThreadsAreKeptHasItsOwn() throws InterruptedException {
        WorkerPool orders = WorkerPool.of(new WorkerThreads("orders-", 1, false), task -> said.add("shared"));
        orders.execute(() -> said.add(Thread.currentThread().getName()));
        assertThat(said.take()).isEqualTo("orders-1");
        orders.interruptAllBut(Thread.currentThread());
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
