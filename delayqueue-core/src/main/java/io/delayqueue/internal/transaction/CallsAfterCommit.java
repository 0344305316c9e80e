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
 * Keeps calls in memory and makes them after their transaction has committed. A crash in between loses them. The
 * committing thread makes the calls and waits, so that they are complete when the application continues. If all callers
 * use stages, a thread for stages makes the calls.
 */
public final class CallsAfterCommit implements TransactionalCalls {

    private static final Logger log = LoggerFactory.getLogger(CallsAfterCommit.class);

    private final UntilCommit<DeferredCall<?>> untilCommit = new UntilCommit<>(new Decision());
    private final Supplier<TaskChanges> changes;
    private final Consumer<? super DeferredCallFailed> listener;

    /**
     * @param changes supplies the task changes; called when a transaction first commits
     * @param listener listener of the application, which may throw
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

    /**
     * Makes the calls. Never throws, because the transaction has committed and an exception would suggest otherwise.
     */
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

    /** Logs one line per transaction, because all its calls fail when Redis is down. */
    private void tell(List<DeferredCallFailed> failures, int calls) {
        if (failures.isEmpty()) {
            return;
        }
        DeferredCallFailed first = failures.get(0);
        Guard.tell(() -> log.error(
                "{} of {} call(s) that were made within a transaction failed after its commit; the "
                        + "first: queue '{}', {} '{}'. The database and Redis differ until you repeat these "
                        + "calls; a DeferredCallFailed event describes each",
                failures.size(),
                calls,
                first.queue(),
                first.call(),
                first.id(),
                first.error()));
        failures.forEach(failure -> Guard.run(
                log,
                "A listener for calls that failed after their transaction threw an exception",
                () -> listener.accept(failure)));
    }

    private static DeferredCallFailed failure(TaskChange<?> change, DelayQueueException error) {
        return new DeferredCallFailed(change.queue(), change.id(), change.verb(), error);
    }

    private static TransactionRolledBackException rolledBack(TaskChange<?> change) {
        return new TransactionRolledBackException(
                change.what() + ": not made, because its transaction was rolled back");
    }

    private static TransactionOutcomeUnknownException unknown(TaskChange<?> change) {
        return new TransactionOutcomeUnknownException(
                change.what() + ": not made, because it is unknown whether its transaction has committed. Check the "
                        + "database, and repeat the call if it has");
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
