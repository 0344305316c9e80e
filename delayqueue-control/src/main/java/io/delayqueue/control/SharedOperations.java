// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.control;

import io.delayqueue.control.OperationView.Status;
import io.delayqueue.internal.calls.BoundedWait;
import io.delayqueue.internal.concurrent.Guard;
import io.delayqueue.internal.input.ProcessName;
import io.delayqueue.internal.store.OperationPut;
import io.delayqueue.internal.store.OperationPut.Act;
import io.delayqueue.internal.store.OperationPut.Answer;
import io.delayqueue.internal.store.OperationStore;
import io.delayqueue.internal.store.StoredOperation;
import io.delayqueue.internal.store.TaskStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The operations of all processes, where they are noted. The process that runs one notes before each page how far it is, and is told
 * if somebody asked that it ends, or if another process has gone on with it.
 */
final class SharedOperations {

    private static final Logger log = LoggerFactory.getLogger(SharedOperations.class);

    private final OperationStore store;
    private final BoundedWait wait;
    private final String runner = ProcessName.OWN.replace(':', '_') + "#"
            + UUID.randomUUID().toString().substring(0, 8);

    SharedOperations(TaskStore store) {
        this.store = store.operations();
        this.wait = BoundedWait.of(store);
    }

    /** Which of its notes the last one of an operation is; empty where there is none. */
    String version(String handle) {
        return wait.answer(store.read(handle), "Operation " + handle).stream()
                .findFirst()
                .map(StoredOperation::version)
                .orElse("");
    }

    /**
     * Whether this process may run it; false where another one does, or did since.
     *
     * @param seen its version, read before the record was from which it goes on
     */
    boolean claim(OperationRecord operation, String seen) {
        return put(Act.CLAIM, operation, seen) != Answer.LOST;
    }

    /** What becomes of an operation that this process runs. */
    Answer beat(OperationRecord operation) {
        return put(Act.BEAT, operation, "");
    }

    /** This process runs it no longer. Where that cannot be noted it counts as abandoned after a while. */
    void end(OperationRecord operation) {
        Guard.run(
                log,
                "The end of operation " + operation.view().handle() + " was not noted",
                () -> put(Act.END, operation, ""));
    }

    private Answer put(Act act, OperationRecord operation, String seen) {
        String handle = operation.view().handle();
        return wait.answer(
                store.put(
                        handle,
                        new OperationPut(act, runner, operation.request().dryRun(), seen, operation.asText())),
                "Operation " + handle);
    }

    /** Asks whoever runs it to end it; false where nobody is known to. */
    boolean stop(String handle) {
        return wait.answer(store.stop(handle), "Operation " + handle);
    }

    /**
     * One that was noted; empty where there is none.
     *
     * @param knownHere whether this process knows more of those that it runs or was the last to run
     */
    Optional<OperationRecord> find(String handle, Predicate<String> knownHere) {
        return handle.isEmpty()
                ? Optional.empty()
                : read(handle, knownHere).stream().findFirst();
    }

    /** All that are noted; as {@link #find}. */
    List<OperationRecord> all(Predicate<String> knownHere) {
        return read("", knownHere);
    }

    private List<OperationRecord> read(String handle, Predicate<String> knownHere) {
        List<OperationRecord> read = new ArrayList<>();
        for (StoredOperation stored : wait.answer(store.read(handle), "Operations")) {
            OperationRecord operation = OperationRecord.parse(stored.handle(), stored.content());
            if (operation != null && !(stored.runner().equals(runner) && knownHere.test(stored.handle()))) {
                boolean abandoned = operation.view().status() == Status.RUNNING && !stored.alive();
                read.add(abandoned ? operation.abandoned() : operation);
            }
        }
        return read;
    }
}
