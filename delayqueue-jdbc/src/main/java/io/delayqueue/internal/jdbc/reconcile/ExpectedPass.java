// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.jdbc.reconcile;

import io.delayqueue.ScheduleRequest;
import io.delayqueue.internal.jdbc.reconcile.Comparison.Finding;
import io.delayqueue.jdbc.ReconcilePlace;
import io.delayqueue.jdbc.ReconcileRequest;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Looks for all that should be there, a page of the application's after the other. */
final class ExpectedPass {

    private final ReconcileRequest request;
    private final Comparison comparison;
    private final Mending mending;
    private final Tally tally;

    ExpectedPass(ReconcileRequest request, Comparison comparison, Mending mending, Tally tally) {
        this.request = request;
        this.comparison = comparison;
        this.mending = mending;
        this.tally = tally;
    }

    /** Until the end, or the end of a page during which the thread was interrupted. */
    void run() {
        @Nullable String after = request.from().expectedAfter();
        List<ScheduleRequest> page = request.expected().page(after, request.pageSize());
        while (!page.isEmpty() && !Tally.isInterrupted() && compare(page)) {
            String last = page.get(page.size() - 1).id();
            if (last.equals(after)) {
                throw new IllegalStateException("The page after the task " + last
                        + " ended with that task again. A page has" + " to begin behind the id that it is given");
            }
            after = last;
            tally.reached(new ReconcilePlace(false, after, null));
            page = request.expected().page(after, request.pageSize());
        }
        if (page.isEmpty()) {
            tally.reached(new ReconcilePlace(true, after, null));
        }
    }

    /** Returns false if the thread was interrupted before the page had its second look. */
    private boolean compare(List<ScheduleRequest> page) {
        List<String> differing = new ArrayList<>();
        for (ScheduleRequest expected : page) {
            if (!expected.queue().equals(request.queue())) {
                throw new IllegalArgumentException(
                        "The task " + expected.id() + " is expected in queue '" + expected.queue() + "', but queue '"
                                + request.queue() + "' is compared. Answer what is to be in that queue alone");
            }
            tally.look();
            Finding finding = comparison.ofExpected(expected);
            if (finding.underWay()) {
                tally.underWay();
            }
            finding.difference().ifPresent(difference -> differing.add(expected.id()));
        }
        if (differing.isEmpty()) {
            return !Tally.isInterrupted();
        }
        tally.settle();
        if (Tally.isInterrupted()) {
            return false;
        }
        for (ScheduleRequest expected : request.expected().find(differing)) {
            comparison
                    .ofExpected(expected)
                    .difference()
                    .ifPresent(difference -> tally.add(mending.mend(request, difference, expected)));
        }
        return true;
    }
}
