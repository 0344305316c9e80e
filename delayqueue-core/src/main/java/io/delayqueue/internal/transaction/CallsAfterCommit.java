// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.transaction;

import io.delayqueue.DeferredCallFailed;
import io.delayqueue.DelayQueueException;
import io.delayqueue.TransactionOutcomeUnknownException;
import io.delayqueue.TransactionRolledBackException;
import io.delayqueue.internal.calls.TaskFailures;
import io.delayqueue.internal.concurrent.Guard;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps calls in memory until their transaction has committed, and makes them then: a process that dies in between loses them. The
 * committing thread makes them and waits, so that they are answered when the application goes on; those of a transaction whose
 * callers all have stages are made on a thread for stages.
 */
public final class CallsAfterCommit implements TransactionalCalls {

    private static final Logger log = LoggerFactory.getLogger(CallsAfterCommit.class);

    private final UntilCommit<DeferredCall<?>> untilCommit = new UntilCommit<>(new Decision());
    private final Supplier<TaskChanges> changes;
    private final Consumer<? super DeferredCallFailed> listener;

    /**
     * @param changes asked for first when a transaction has committed
     * @param listener code of the application, which may throw
     */
    public CallsAfterCommit(Supplier<TaskChanges> changes, Consumer<? super DeferredCallFailed> listener) {
        this.changes = changes;
        this.listener = listener;
    }

    @Override
    public boolean isOpen() {
        return untilCommit.isOpen();
    }

    @Override
    public void add(List<? extends DeferredCall<?>> calls) {
        if (!untilCommit.add(calls)) {
            throw rolledBack(calls.get(0).change());
        }
    }

    private void carryOut(List<DeferredCall<?>> calls) {
        List<ChangeResult> results =
                results(calls.stream().map(DeferredCall::change).toList());
        List<DeferredCallFailed> failures = new ArrayList<>(0);
        for (int i = 0; i < results.size(); i++) {
            calls.get(i).caller().end(results.get(i));
            DelayQueueException error = results.get(i).error();
            if (error != null) {
                failures.add(failure(calls.get(i).change(), error));
            }
        }
        tell(failures, calls.size());
    }

    /** The transaction has committed, whatever happens here: its caller must not hear of an error as if it had not. */
    private List<ChangeResult> results(List<? extends TaskChange<?>> all) {
        try {
            return changes.get().carryOut(all);
        } catch (Throwable ex) {
            DelayQueueException error = TaskFailures.known(ex);
            return all.stream()
                    .map(change -> new ChangeResult(change, null, error))
                    .toList();
        }
    }

    /** One line for a transaction: where Redis is down all of its calls fail. */
    private void tell(List<DeferredCallFailed> failures, int calls) {
        if (failures.isEmpty()) {
            return;
        }
        DeferredCallFailed first = failures.get(0);
        Guard.tell(() -> log.error(
                "{} of {} call(s) that were made within a transaction failed after it; the first: queue '{}', {} '{}'. The"
                        + " database and Redis differ until they are made again; each is told by an event,"
                        + " DeferredCallFailed",
                failures.size(),
                calls,
                first.queue(),
                first.call(),
                first.id(),
                first.error()));
        failures.forEach(failure -> Guard.run(
                log,
                "A listener failed that was told of a call that failed after its transaction",
                () -> listener.accept(failure)));
    }

    private static DeferredCallFailed failure(TaskChange<?> change, DelayQueueException error) {
        return new DeferredCallFailed(change.queue(), change.id(), change.verb(), error);
    }

    private static TransactionRolledBackException rolledBack(TaskChange<?> change) {
        return new TransactionRolledBackException(
                change.what() + ": not made, as the transaction in which it was asked for has rolled back");
    }

    private static TransactionOutcomeUnknownException unknown(TaskChange<?> change) {
        return new TransactionOutcomeUnknownException(
                change.what() + ": not made, as it is not known whether the transaction in which it was asked for has"
                        + " committed. Look into the database, and make the call again if it has");
    }

    private final class Decision implements UntilCommit.End<DeferredCall<?>> {

        @Override
        public void committed(List<DeferredCall<?>> calls) {
            if (calls.stream().allMatch(call -> call.caller().hasStage())) {
                calls.get(0).caller().threads().execute(() -> carryOut(calls));
            } else {
                carryOut(calls);
            }
        }

        @Override
        public void rolledBack(List<DeferredCall<?>> calls) {
            fail(calls, CallsAfterCommit::rolledBack);
        }

        @Override
        public void unknown(List<DeferredCall<?>> calls) {
            fail(calls, CallsAfterCommit::unknown);
            tell(
                    calls.stream()
                            .map(call -> failure(call.change(), CallsAfterCommit.unknown(call.change())))
                            .toList(),
                    calls.size());
        }

        private void fail(
                List<DeferredCall<?>> calls, Function<? super TaskChange<?>, ? extends DelayQueueException> reason) {
            calls.forEach(call -> call.caller().fail(reason.apply(call.change())));
        }
    }
}
