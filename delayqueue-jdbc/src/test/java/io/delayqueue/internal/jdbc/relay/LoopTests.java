// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.jdbc.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class LoopTests {

    @Test
    void startWhenARoundHasNotEndedWaitsForItAndReplacesItsThread() throws InterruptedException {
        CountDownLatch hung = new CountDownLatch(1);
        Set<Thread> threads = ConcurrentHashMap.newKeySet();
        Loop loop = new Loop("test", () -> {
            threads.add(Thread.currentThread());
            try {
                hung.await();
            } catch (InterruptedException ex) {
                throw new IllegalStateException(ex);
            }
            return Duration.ofMillis(1);
        });
        loop.start();
        await().until(() -> threads.size() == 1);
        Thread first = threads.iterator().next();
        loop.end();
        assertThat(loop.awaitEnd(Duration.ofMillis(1))).isFalse();

        loop.start();

        await().during(Duration.ofMillis(200)).until(() -> threads.size() == 1);
        hung.countDown();
        await().until(() -> threads.size() == 2 && !first.isAlive());
        loop.end();
        assertThat(loop.awaitEnd(Duration.ofSeconds(5))).isTrue();
    }
}
