// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.console.page;

import io.delayqueue.internal.console.html.View;
import io.delayqueue.internal.console.request.ConsoleRequest;
import io.delayqueue.internal.control.QueueControl;
import io.delayqueue.internal.control.QueueView;
import io.delayqueue.internal.control.web.ControlChanges;
import io.delayqueue.internal.control.web.Parameters;
import java.time.Instant;
import java.util.List;

/** The form for an action on all tasks that a filter selects. */
final class BulkPage {

    private final QueueControl control;

    BulkPage(QueueControl control) {
        this.control = control;
    }

    Page show(ConsoleRequest request, String queue, Instant now) {
        QueueView home = control.queue(request.caller(), queue);
        Links links = new Links(request.base());
        Parameters fields = request.fields(now);
        String asked = request.parameter("action");
        String action = asked == null ? "" : asked;
        View view = View.of("queue", home.queue())
                .with("countLink", links.of(queue, "bulk"))
                .with("to", request.parameter("to"))
                .with("over", request.parameter("over"))
                .with("by", request.parameter("by"))
                .with("perSecond", request.parameter("perSecond"))
                .with("usualPerSecond", ControlChanges.PER_SECOND);
        for (String each : new String[] {"cancel", "reschedule", "deliver", "redrive", "discard", "erase"}) {
            view.with("is" + Character.toUpperCase(each.charAt(0)) + each.substring(1), each.equals(action));
        }
        FilterFields.into(view, "", fields.filterTexts());
        return new Page("Bulk action on " + queue, "bulk", view, List.of())
                .headed(queue, null)
                .below(links.homeCrumb());
    }
}
