// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.benchmarks.workload;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

/** Ends a process that is not done in time, unless it is lifted before: who reads its output would wait for ever. */
final class Deadline {

    private final CompletableFuture<Void> ending;

    Deadline(Process process, Duration limit) {
        Executor later = CompletableFuture.delayedExecutor(limit.toMillis(), TimeUnit.MILLISECONDS);
        this.ending = CompletableFuture.runAsync(process::destroyForcibly, later);
    }

    void lift() {
        ending.cancel(false);
    }
}
