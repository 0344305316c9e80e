// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.client;

import io.delayqueue.DelayQueueException;
import io.delayqueue.IdOutcome;
import io.delayqueue.TaskStoreException;
import io.delayqueue.TaskStoreTimeoutException;
import io.delayqueue.internal.calls.BoundedWait;
import io.delayqueue.internal.concurrent.Causes;
import io.delayqueue.internal.concurrent.Seam;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Makes one call for each of many ids, some of them under way at a time. */
final class CallsByIds {

    private static final int AT_A_TIME = 256;

    private final BoundedWait wait;

    CallsByIds(BoundedWait wait) {
        this.wait = wait;
    }

    /** Where none of some hundred calls was answered, those that are left are not made. */
    <O> List<IdOutcome<O>> each(String queue, Collection<String> ids, Function<String, CompletableFuture<O>> call) {
        List<String> distinct = List.copyOf(new LinkedHashSet<>(ids));
        List<IdOutcome<O>> outcomes = new ArrayList<>(distinct.size());
        boolean answered = true;
        for (int from = 0; from < distinct.size(); from += AT_A_TIME) {
            List<String> some = distinct.subList(from, Math.min(from + AT_A_TIME, distinct.size()));
            List<IdOutcome<O>> known = answered ? outcomes(queue, some, call) : notMade(queue, some);
            answered = known.stream().anyMatch(line -> line.outcome() != null);
            outcomes.addAll(known);
        }
        return outcomes;
    }

    private <O> List<IdOutcome<O>> outcomes(
            String queue, List<String> ids, Function<String, CompletableFuture<O>> call) {
        List<CompletableFuture<IdOutcome<O>>> lines = new ArrayList<>(ids.size());
        for (String id : ids) {
            lines.add(Seam.call(() -> call.apply(id)).handle((outcome, error) -> line(queue, id, outcome, error)));
        }
        try {
            wait.answer(
                    CompletableFuture.allOf(lines.toArray(CompletableFuture[]::new)),
                    "Queue '" + queue + "', " + ids.size() + " tasks");
        } catch (TaskStoreTimeoutException ex) {
            for (int i = 0; i < ids.size(); i++) {
                lines.get(i).complete(new IdOutcome<>(ids.get(i), null, ex));
            }
        }
        return lines.stream().map(CompletableFuture::join).toList();
    }

    private static <O> IdOutcome<O> line(String queue, String id, @Nullable O outcome, @Nullable Throwable error) {
        if (error == null) {
            return new IdOutcome<>(id, outcome, null);
        }
        Throwable cause = Causes.of(error);
        return new IdOutcome<>(
                id,
                null,
                cause instanceof DelayQueueException known
                        ? known
                        : new TaskStoreException(
                                "Queue '" + queue + "', task '" + id
                                        + "': the call failed in this process; it may or may" + " not have run",
                                true,
                                cause));
    }

    private static <O> List<IdOutcome<O>> notMade(String queue, List<String> ids) {
        return ids.stream()
                .map(id -> new IdOutcome<O>(
                        id,
                        null,
                        new TaskStoreException(
                                "Queue '" + queue + "', task '" + id + "': no call was made, as those before it failed",
                                false,
                                null)))
                .toList();
    }
}
