// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.control;

import io.delayqueue.control.OperationView.Status;
import io.delayqueue.internal.calls.BoundedWait;
import io.delayqueue.internal.concurrent.Guard;
import io.delayqueue.internal.store.OperationPut;
import io.delayqueue.internal.store.OperationPut.Act;
import io.delayqueue.internal.store.OperationPut.Answer;
import io.delayqueue.internal.store.OperationStore;
import io.delayqueue.internal.store.StoredOperation;
import io.delayqueue.internal.store.TaskStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The operations of all processes, stored in Redis. A run stores its progress before each page. The reply tells the run
 * whether a caller has stopped it or another process has resumed the operation.
 */
final class SharedOperations {

    private static final Logger log = LoggerFactory.getLogger(SharedOperations.class);

    private final OperationStore store;
    private final BoundedWait wait;

    SharedOperations(TaskStore store) {
        this.store = store.operations();
        this.wait = new BoundedWait(store.callTimeout());
    }

    /**
     * A stored operation.
     *
     * @param version changes with each write
     */
    record Noted(OperationRecord record, String version) {}

    /**
     * Returns whether this run may start: {@code false} if another run has changed the operation since its version was
     * read.
     *
     * @param seen version of the operation that the run continues; empty for a new one
     */
    boolean claim(BulkOperation run, String seen) {
        return put(Act.CLAIM, run, seen) != Answer.LOST;
    }

    /** Stores the progress of a run and returns whether it may continue. */
    Answer beat(BulkOperation run) {
        return put(Act.BEAT, run, "");
    }

    /** Records the end of a run. If this fails, the run counts as abandoned after a while. */
    void end(BulkOperation run) {
        Guard.run(log, "Could not record the end of operation " + run.record().handle(), () -> put(Act.END, run, ""));
    }

    private Answer put(Act act, BulkOperation run, String seen) {
        OperationPut put = new OperationPut(
                act,
                run.runner(),
                run.record().request().dryRun(),
                seen,
                run.record().asText());
        return wait.answer(
                store.put(run.record().handle(), put),
                "Operation " + run.record().handle());
    }

    /** Stops an operation before its next page. Returns {@code false} if it is not running. */
    boolean stop(String handle) {
        return wait.answer(store.stop(handle), "Operation " + handle);
    }

    Optional<Noted> find(String handle) {
        return handle.isEmpty() ? Optional.empty() : read(handle).stream().findFirst();
    }

    List<OperationRecord> all() {
        return read("").stream().map(Noted::record).toList();
    }

    private List<Noted> read(String handle) {
        List<Noted> noted = new ArrayList<>();
        for (StoredOperation stored : wait.answer(store.read(handle), "Operations")) {
            OperationRecord operation = OperationRecord.parse(stored.handle(), stored.content());
            if (operation != null) {
                boolean abandoned = operation.status() == Status.RUNNING && !stored.alive();
                noted.add(new Noted(abandoned ? operation.abandoned() : operation, stored.version()));
            }
        }
        return noted;
    }
}
