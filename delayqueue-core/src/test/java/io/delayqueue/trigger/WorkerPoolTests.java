// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.trigger;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class WorkerPoolTests {

    @Test
    @Timeout(10)
    void handOverWhenTheLastThreadHasGoneMakesAnother() throws InterruptedException {
        ThreadPoolExecutor pool = new ThreadPoolExecutor(0, 1, 1, TimeUnit.SECONDS, new SynchronousQueue<>());
        try {
            CountDownLatch ran = new CountDownLatch(1);
            WorkerPool.handOver(ran::countDown, pool);
            assertThat(ran.await(5, TimeUnit.SECONDS)).isTrue();
        } finally {
            pool.shutdownNow();
        }
    }
}
