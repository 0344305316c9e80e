// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.control;

import io.delayqueue.control.OperationView.Status;
import io.delayqueue.internal.concurrent.NamedThreads;
import io.delayqueue.internal.input.PrintableText;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The operations of this process: those that run, each on a thread of its own, and the last ones that have ended. Dry runs, for
 * which it takes no more than to read, neither keep changes from running nor push them out.
 */
final class BulkOperations implements AutoCloseable {

    private static final int MOST_CHANGES = 8;
    private static final int MOST_DRY_RUNS = 4;
    /** So that nobody who may only read keeps all others from counting. */
    private static final int MOST_DRY_RUNS_OF_ONE = 2;

    private static final int LONGEST_NAME = 80;
    /** Of each of the two. */
    private static final int MOST_KEPT = 100;

    private final ThreadPoolExecutor threads = new ThreadPoolExecutor(
            0,
            Integer.MAX_VALUE,
            10,
            TimeUnit.SECONDS,
            new SynchronousQueue<>(),
            NamedThreads.bareDaemons("delayqueue-control-"));
    private final Map<String, BulkOperation> operations = new LinkedHashMap<>();

    /**
     * Makes room for an operation that begins or goes on, and keeps it. Who is told so has to {@link #run} it.
     *
     * @param before what was known of it here when it was read where it goes on; null for nothing
     * @return false where it runs, or has gone on here since
     * @throws TooManyOperationsException if as many run as may; nothing has changed then
     */
    boolean begin(BulkOperation operation, @Nullable BulkOperation before) {
        boolean dryRun = operation.request().dryRun();
        synchronized (operations) {
            boolean changed = operations.get(operation.handle()) != before;
            if (changed || (before != null && before.isRunning())) {
                return false;
            }
            requireRoom(operation, dryRun);
            operation.begin();
            operations.put(operation.handle(), operation);
            forgetOldest(dryRun);
            return true;
        }
    }

    private void requireRoom(BulkOperation operation, boolean dryRun) {
        List<BulkOperation> running =
                ofKind(dryRun).filter(BulkOperation::isRunning).toList();
        long own = running.stream()
                .filter(other -> other.caller().equals(operation.caller()))
                .count();
        int most = dryRun ? MOST_DRY_RUNS : MOST_CHANGES;
        String full = null;
        if (dryRun && own >= MOST_DRY_RUNS_OF_ONE) {
            full = MOST_DRY_RUNS_OF_ONE + " dry runs of " + PrintableText.of(operation.caller(), LONGEST_NAME);
        } else if (running.size() >= most) {
            full = most + (dryRun ? " dry runs" : " operations");
        }
        if (full != null) {
            throw new TooManyOperationsException("Queue '" + operation.request().queue() + "': " + full
                    + " run in this process already, which are as many as may. Wait for one or stop one");
        }
    }

    /** Runs an operation that has begun; where it cannot it ends as one that was stopped. */
    void run(BulkOperation operation) {
        try {
            threads.execute(operation);
        } catch (RejectedExecutionException | OutOfMemoryError ex) {
            operation.end(Status.STOPPED, "Not run: the process is ending, or has no thread to spare");
        }
    }

    /** Takes back that an operation has begun. */
    void forget(BulkOperation operation) {
        synchronized (operations) {
            operations.remove(operation.handle(), operation);
        }
    }

    private Stream<BulkOperation> ofKind(boolean dryRun) {
        return operations.values().stream()
                .filter(operation -> operation.request().dryRun() == dryRun);
    }

    private void forgetOldest(boolean dryRun) {
        long tooMany = ofKind(dryRun).count() - MOST_KEPT;
        ofKind(dryRun)
                .filter(operation -> !operation.isRunning())
                .limit(Math.max(0, tooMany))
                .map(BulkOperation::handle)
                .toList()
                .forEach(operations::remove);
    }

    Optional<BulkOperation> find(String handle) {
        synchronized (operations) {
            return Optional.ofNullable(operations.get(handle));
        }
    }

    /** The oldest first. */
    List<BulkOperation> all() {
        synchronized (operations) {
            return List.copyOf(operations.values());
        }
    }

    /** Lets those that run end before their next page, and waits a little for that. */
    @Override
    public void close() {
        threads.shutdown();
        all().forEach(BulkOperation::stop);
        try {
            threads.awaitTermination(5, TimeUnit.SECONDS);
        } catch (InterruptedException ex) {
            Thread.currentThread().interrupt();
        }
        threads.shutdownNow();
    }
}
