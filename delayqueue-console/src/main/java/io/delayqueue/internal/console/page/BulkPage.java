// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.console.page;

import io.delayqueue.internal.console.html.View;
import io.delayqueue.internal.console.request.ConsoleRequest;
import io.delayqueue.internal.control.QueueControl;
import io.delayqueue.internal.control.QueueView;
import io.delayqueue.internal.control.web.ApiCalls;
import io.delayqueue.internal.control.web.ControlChanges;
import io.delayqueue.internal.control.web.Parameters;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** The form for an action on all tasks that a filter selects. */
record BulkPage(QueueControl control) {

    /** Rejects a selection that is missing or that the action would ignore, in the words of the form. */
    static void require(String action, Parameters fields) {
        Set<String> known = ApiCalls.names("POST", "/queues/{queue}/" + action, false);
        fields.names().stream()
                .filter(name -> !known.contains(name))
                .findFirst()
                .ifPresent(name -> {
                    throw new IllegalArgumentException(ConsoleRequest.quotedLabel(name) + " must be empty: "
                            + (action.equals("erase")
                                    ? "Erase selects by key, group or id prefix only"
                                    : "this action does not use it"));
                });
        boolean isAll = fields.flag("all", false);
        Set<String> conditions = fields.filterTexts().keySet();
        if (!isAll && conditions.isEmpty()) {
            throw new IllegalArgumentException(ConsoleRequest.quotedLabel("all")
                    + " must be ticked, or fill in at least one condition, such as Key");
        }
        if (isAll && !conditions.isEmpty()) {
            throw new IllegalArgumentException(ConsoleRequest.quotedLabel("all")
                    + " must not be ticked beside conditions. Clear it, or empty "
                    + conditions.stream().map(ConsoleRequest::quotedLabel).collect(Collectors.joining(", ")));
        }
    }

    Page show(ConsoleRequest request, String queue) {
        QueueView home = control.queue(request.caller(), queue);
        Parameters fields = request.fields();
        String asked = request.parameter("action");
        String action = asked == null ? "" : asked;
        View view = View.of("queue", home.queue())
                .with("countLink", request.links().of(queue, "bulk"))
                .with("all", fields.flag("all", false))
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
                .below(request.links().homeCrumb());
    }
}
