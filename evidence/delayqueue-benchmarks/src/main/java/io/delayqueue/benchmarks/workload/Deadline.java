// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.benchmarks.workload;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

/**
 * Ends a process that does not complete in time, because the reader of its output would otherwise wait for ever. It can
 * be cancelled.
 */
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
