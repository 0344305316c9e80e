// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.console.page;

import io.delayqueue.control.QueuePermission;
import io.delayqueue.internal.console.html.Address;
import io.delayqueue.internal.console.html.Links;
import io.delayqueue.internal.console.html.Numbers;
import io.delayqueue.internal.console.html.View;
import io.delayqueue.internal.console.request.ConsoleRequest;
import io.delayqueue.internal.control.DeadReasons;
import io.delayqueue.internal.control.QueueControl;
import io.delayqueue.internal.control.QueueView;
import io.delayqueue.internal.control.web.Parameters;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The dead tasks of a queue by their reasons. */
record ReasonsPage(QueueControl control) {

    private static final Pattern FOLD = Pattern.compile("‹[a-z]+›");

    /** The class of an exception, at the beginning of a reason with a message. */
    private static final Pattern CLASS = Pattern.compile("(?:[\\w$]+\\.)*([\\w$]+(?:Exception|Error)): (?=\\S)");

    /** Number of tasks to redrive as a trial. */
    private static final int TRIED_FIRST = 10;

    private static final int WORST = 6;

    /** Returns the page for the queue with the most dead tasks, with links to the queues that follow. */
    Page worst(ConsoleRequest request) {
        Links links = request.links();
        List<QueueView> worst = control.queues(request.caller()).found().stream()
                .filter(queue -> queue.dead() > 0)
                .sorted(Comparator.comparingLong(QueueView::dead).reversed())
                .limit(WORST)
                .toList();
        return worst.isEmpty()
                ? new Page("Failures", "failures-none", View.of("homeLink", links.home()), List.of())
                : show(request, worst.get(0).queue(), worst);
    }

    Page show(ConsoleRequest request, String queue) {
        return show(request, queue, List.of());
    }

    private Page show(ConsoleRequest request, String queue, List<QueueView> worst) {
        Links links = request.links();
        Parameters fields = request.fields();
        Instant from = fields.moment("from");
        Instant until = fields.moment("until");
        QueueView home = control.queue(request.caller(), queue);
        DeadReasons found = control.deadReasons(request.caller(), queue, from, until);
        boolean operates = home.permissions().contains(QueuePermission.OPERATE);
        Map<String, String> period = new LinkedHashMap<>(fields.filterAddress());
        period.keySet().retainAll(Set.of("from", "until"));
        View view = View.of("queue", queue)
                .with("hasOthers", worst.size() > 1)
                .with(
                        "worst",
                        worst.stream()
                                .map(each -> View.of("name", each.queue())
                                        .with("dead", Numbers.grouped(each.dead()))
                                        .with("isThis", each.queue().equals(queue))
                                        .with("link", links.of(each.queue(), "reasons")))
                                .toList())
                .with("tabs", QueueFigures.tabs(home, links, "Failures"))
                .with("self", links.of(queue, "reasons"))
                .with("periods", periods(links.of(queue, "reasons"), fields))
                .with("from", fields.text("from"))
                .with("until", fields.text("until"))
                .with(
                        "rows",
                        found.kinds().stream()
                                .map(kind -> row(kind, queue, operates, period, found.looked(), request))
                                .toList())
                .with("none", found.kinds().isEmpty())
                .with("looked", Numbers.grouped(found.looked()))
                .with("dead", Numbers.grouped(home.dead()))
                .with("kindCount", Numbers.of(found.kinds().size(), "kind"))
                .with(
                        "isCut",
                        found.kinds().stream()
                                        .mapToLong(DeadReasons.Kind::count)
                                        .sum()
                                < found.looked())
                .with("isPart", !found.all());
        return new Page("Failures in " + queue, "reasons", view, List.of())
                .headed(queue, null)
                .below(links.homeCrumb());
    }

    private static List<View> periods(Address self, Parameters fields) {
        Map<String, String> periods = new LinkedHashMap<>();
        periods.put("Last hour", "-1h");
        periods.put("Last 6 hours", "-6h");
        periods.put("Last day", "-1d");
        periods.put("All", "");
        String given = fields.text("from");
        String current = given == null ? "" : given;
        return periods.entrySet().stream()
                .map(period -> View.of("period", period.getKey())
                        .with("isThis", current.equals(period.getValue()) && fields.text("until") == null)
                        .with("periodLink", self.with("from", period.getValue())))
                .toList();
    }

    /** Returns the message of a reason, without the class of its exception. */
    static String message(String reason) {
        Matcher found = CLASS.matcher(reason);
        return found.lookingAt() ? reason.substring(found.end()) : reason;
    }

    /** Returns the unchanged and replaced parts of a kind in turn; the reason itself if the kind has only one. */
    private static List<View> parts(DeadReasons.Kind kind) {
        List<View> parts = new ArrayList<>();
        String text = message(kind.reasons() == 1 ? example(kind) : kind.kind());
        Matcher fold = FOLD.matcher(kind.reasons() == 1 ? "" : text);
        int done = 0;
        while (fold.find()) {
            parts.add(View.of("plain", text.substring(done, fold.start())).with("fold", fold.group()));
            done = fold.end();
        }
        parts.add(View.of("plain", text.substring(done)).with("fold", null));
        return parts;
    }

    private static String example(DeadReasons.Kind kind) {
        return kind.example().isEmpty() ? "no reason" : kind.example();
    }

    /** Returns the exception of a kind, and the number of its reasons if there are several. */
    private static String about(DeadReasons.Kind kind) {
        Matcher found = CLASS.matcher(kind.example());
        return Stream.of(
                        found.lookingAt() ? found.group(1) : "",
                        kind.reasons() == 1 ? "" : Numbers.of(kind.reasons(), "variant"))
                .filter(part -> !part.isEmpty())
                .collect(Collectors.joining(" · "));
    }

    /** Returns what each list of reasons shows of a kind. */
    static View view(DeadReasons.Kind kind, String queue, long looked, ConsoleRequest request) {
        return View.of("kindParts", parts(kind))
                .with("about", about(kind))
                .with("count", Numbers.grouped(kind.count()))
                .with("share", Timeline.round(100.0 * kind.count() / Math.max(1, looked)))
                .with("link", tasks(request.links(), queue, kind))
                .with("firstAt", request.moments().view(kind.firstAt()))
                .with("lastAt", request.moments().view(kind.lastAt()));
    }

    private static Map<String, String> only(DeadReasons.Kind kind) {
        return kind.kind().isEmpty()
                ? Map.of("withoutReason", "true")
                : kind.reasons() == 1 ? Map.of("exactReason", kind.example()) : Map.of("reasonKind", kind.kind());
    }

    /** Returns a link to the dead tasks that have a reason of this kind. */
    private static Address tasks(Links links, String queue, DeadReasons.Kind kind) {
        return links.tasks(queue).with("state", "dead").with(only(kind));
    }

    /** Returns hidden fields that select the dead tasks that have a reason of this kind. */
    private static List<View> selection(Map<String, String> kind, Map<String, String> period) {
        Map<String, String> fields = new LinkedHashMap<>(kind);
        fields.putAll(period);
        return fields.entrySet().stream()
                .map(field -> View.of("selected", field.getKey()).with("selectedText", field.getValue()))
                .toList();
    }

    private static View row(
            DeadReasons.Kind kind,
            String queue,
            boolean operates,
            Map<String, String> period,
            long looked,
            ConsoleRequest request) {
        Links links = request.links();
        Address bulk = links.of(queue, "bulk").with(only(kind)).with(period);
        return view(kind, queue, looked, request)
                .with("example", example(kind))
                .with("bars", Spark.bars(kind.overTime()))
                .with("link", tasks(links, queue, kind).with(period))
                .with("redriveLink", operates ? bulk.with("action", "redrive") : null)
                .with("tryLink", links.of(queue, "redrive"))
                .with("tried", kind.count() > TRIED_FIRST ? TRIED_FIRST : null)
                .with("selection", selection(only(kind), period))
                .with("discardLink", bulk.with("action", "discard"));
    }
}
