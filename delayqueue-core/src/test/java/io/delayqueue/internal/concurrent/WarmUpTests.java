// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.concurrent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class WarmUpTests {

    private final WarmUp warmUp = new WarmUp();

    @Test
    void runWhenAStepFailsRunsTheNext() throws Exception {
        CompletableFuture<Thread> next = new CompletableFuture<>();
        assertThat(warmUp.run(() -> {
                    throw new NoClassDefFoundError("not there");
                }))
                .isTrue();
        warmUp.run(() -> next.complete(Thread.currentThread()));
        assertThat(next.get(10, TimeUnit.SECONDS)).satisfies(thread -> {
            assertThat(thread.getName()).startsWith("delayqueue-housekeeping-");
            assertThat(thread.isDaemon()).isTrue();
        });
    }

    @Test
    void runWhenAllIsDoneLeavesNoThread() throws Exception {
        CompletableFuture<Thread> only = new CompletableFuture<>();
        warmUp.run(() -> only.complete(Thread.currentThread()));
        Thread thread = only.get(10, TimeUnit.SECONDS);
        await().atMost(Duration.ofSeconds(10)).until(() -> !thread.isAlive());
    }
}
