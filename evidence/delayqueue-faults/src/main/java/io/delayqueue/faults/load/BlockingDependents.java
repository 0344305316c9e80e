// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.load;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * Makes asynchronous calls at a fixed rate and attaches a blocking stage to each. Every other stage blocks for a
 * second, like a slow database statement; the others block until another call of this library is answered.
 */
final class BlockingDependents implements Runnable {

    private static final Duration STATEMENT = Duration.ofSeconds(1);

    private final Calls calls;
    private final String name;
    private final long betweenNanos;
    private final BooleanSupplier ended;
    private long made;

    /**
     * Creates an instance without making calls.
     *
     * @param name a name that is unique in the run; the ids in its calls begin with it, and no task has such an id
     * @param between pause between two calls
     * @param ended returns whether to make no more calls
     */
    BlockingDependents(Calls calls, String name, Duration between, BooleanSupplier ended) {
        this.calls = calls;
        this.name = name;
        this.betweenNanos = between.toNanos();
        this.ended = ended;
    }

    @Override
    public void run() {
        try {
            while (!ended.getAsBoolean()) {
                TimeUnit.NANOSECONDS.sleep(betweenNanos);
                String id = name + "-" + made++;
                calls.cancelAsync(queue(), id)
                        .thenRun(made % 2 == 0 ? BlockingDependents::statement : () -> anotherCall(id + "-again"));
            }
        } catch (InterruptedException ex) {
            Thread.currentThread().interrupt();
        }
    }

    private String queue() {
        return made % 4 < 2 ? LoadApplication.HANDLED : LoadApplication.FORWARDED;
    }

    private static void statement() {
        try {
            TimeUnit.NANOSECONDS.sleep(STATEMENT.toNanos());
        } catch (InterruptedException ex) {
            Thread.currentThread().interrupt();
        }
    }

    private void anotherCall(String id) {
        calls.cancelAsync(LoadApplication.HANDLED, id).join();
    }
}
