// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.control;

import io.delayqueue.control.OperationView.Status;
import io.delayqueue.internal.concurrent.NamedThreads;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** The operations of this process: those that run, each on a thread of its own, and the last ones that have ended. */
final class BulkOperations implements AutoCloseable {

    private static final int MOST_RUNNING = 8;
    private static final int MOST_KEPT = 100;

    private final ThreadPoolExecutor threads = new ThreadPoolExecutor(
            0,
            MOST_RUNNING,
            10,
            TimeUnit.SECONDS,
            new SynchronousQueue<>(),
            NamedThreads.bareDaemons("delayqueue-control-"));
    private final Map<String, BulkOperation> operations = new LinkedHashMap<>();

    /**
     * Begins an operation, or lets one go on.
     *
     * @return false where it runs or is done
     * @throws TooManyOperationsException if as many run as may
     */
    boolean start(BulkOperation operation) {
        synchronized (operations) {
            operations.put(operation.handle(), operation);
            forgetOldest();
        }
        if (!operation.begin()) {
            return false;
        }
        try {
            threads.execute(operation);
        } catch (RejectedExecutionException ex) {
            operation.end(Status.STOPPED, "Not begun: as many operations run as may");
            throw new TooManyOperationsException("Queue '" + operation.request().queue() + "': " + MOST_RUNNING
                    + " operations run in this process already, which are as many as may. Wait for one or stop one");
        }
        return true;
    }

    private void forgetOldest() {
        Iterator<BulkOperation> oldest = operations.values().iterator();
        while (operations.size() > MOST_KEPT && oldest.hasNext()) {
            if (!oldest.next().isRunning()) {
                oldest.remove();
            }
        }
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
        all().forEach(BulkOperation::stop);
        threads.shutdown();
        try {
            threads.awaitTermination(5, TimeUnit.SECONDS);
        } catch (InterruptedException ex) {
            Thread.currentThread().interrupt();
        }
        threads.shutdownNow();
    }
}
