// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.jdbc.relay;

import io.delayqueue.internal.concurrent.NamedThreads;
import io.delayqueue.internal.jdbc.outbox.OutboxTable;
import io.delayqueue.internal.store.PendingChanges;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/** The rows of the outbox that were committed and are still there. */
public final class PendingRows implements PendingChanges {

    private static final int MOST = 500;

    private final OutboxTable table;
    private final OutboxRelay relay;

    public PendingRows(OutboxTable table, OutboxRelay relay) {
        this.table = table;
        this.relay = relay;
    }

    @Override
    public String place() {
        return "the outbox";
    }

    /**
     * Counts on a thread of its own, which has no transaction. One that is suspended for it would have to be suspended by the
     * transaction manager that began it: another one takes the connection that JPA's has bound for its own, and commits it.
     */
    @Override
    public long count() {
        FutureTask<Long> counting = new FutureTask<>(() -> table.count(MOST));
        NamedThreads.bareDaemons("delayqueue-outbox-count-").newThread(counting).start();
        try {
            return counting.get();
        } catch (InterruptedException ex) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while the rows of the outbox were counted", ex);
        } catch (ExecutionException ex) {
            throw (ex.getCause() instanceof RuntimeException cause) ? cause : new CompletionException(ex.getCause());
        }
    }

    @Override
    public void hurry() {
        relay.look();
    }
}
