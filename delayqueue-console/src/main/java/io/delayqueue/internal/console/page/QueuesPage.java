// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.console.page;

import io.delayqueue.TaskState;
import io.delayqueue.control.Caller;
import io.delayqueue.control.TaskFilter;
import io.delayqueue.internal.admin.TaskPosition;
import io.delayqueue.internal.console.html.Address;
import io.delayqueue.internal.console.html.Links;
import io.delayqueue.internal.console.html.Moments;
import io.delayqueue.internal.console.html.Numbers;
import io.delayqueue.internal.console.html.View;
import io.delayqueue.internal.console.page.QueueFigures.Figures;
import io.delayqueue.internal.console.page.QueueFigures.Status;
import io.delayqueue.internal.console.request.ConsoleRequest;
import io.delayqueue.internal.control.Lateness;
import io.delayqueue.internal.control.QueueControl;
import io.delayqueue.internal.control.QueueRates;
import io.delayqueue.internal.control.QueueResults;
import io.delayqueue.internal.control.QueueView;
import io.delayqueue.internal.control.TaskView;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToLongFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** All queues. Queues that need attention are first. */
record QueuesPage(QueueControl control, QueueFigures figures) {

    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final int MINUTES = 60;

    /**
     * @param due number of tasks due in each of the next sixty minutes
     * @param reason the reason of the newest dead task, if the queue is failing; otherwise null
     */
    private record Row(
            Figures figures, List<Long> due, @Nullable String reason) {

        private static final Comparator<Row> BY_ATTENTION = Comparator.comparing((Row row) -> row.status())
                .thenComparing(row -> -row.queue().dead())
                .thenComparing(row -> -row.queue().ready())
                .thenComparing(row -> row.queue().queue());

        QueueView queue() {
            return figures.queue();
        }

        Status status() {
            return figures.status();
        }

        /**
         * Returns how many more tasks a minute are due in the next five minutes than were attempted in the last five whole
         * minutes, for an overdue queue; null for none. Leases, which also end in the next minutes, do not count.
         */
        @Nullable
        Long growth() {
            Instant end = figures.begin().plus(MINUTE.multipliedBy(MINUTES - 1));
            long attempts = figures.hour()
                    .between(end.minus(QueueFigures.LATELY), end)
                    .sum(period -> period.delivered() + period.allFailed());
            long minutes = QueueFigures.LATELY.toMinutes();
            long coming = sum(due.subList(0, (int) minutes), Long::longValue) - queue().leased();
            long growth = (coming - attempts) / minutes;
            return status() == Status.BEHIND && growth > 0 ? growth : null;
        }
    }

    Page show(ConsoleRequest request) {
        Links links = request.links();
        QueueResults<Row> read = control.ofReadable(request.caller(), queue -> Optional.of(read(request, queue)));
        List<Row> rows = new ArrayList<>(read.found());
        rows.sort(Row.BY_ATTENTION);
        String shown = request.parameter("show");
        String named = request.parameter("name");
        List<Row> chosen = rows.stream()
                .filter(row -> shown == null || row.status().name().equalsIgnoreCase(shown))
                .filter(row -> named == null || contains(row.queue().queue(), named))
                .toList();
        List<Row> alerts = rows.stream()
                .filter(row -> row.status() != Status.RUNNING)
                .limit(6)
                .toList();
        View view = View.of(
                        "queues", chosen.stream().map(row -> view(row, request)).toList())
                .with("unreadable", unreadable(read.unreadable()))
                .with("problems", problems(request.caller()))
                .with("none", rows.isEmpty() && read.unreadable().isEmpty())
                .with("noneOfKind", chosen.isEmpty())
                .with("allLink", links.home())
                .with("csvLink", links.page("queues.csv"))
                .with("named", named)
                .with("kinds", kinds(rows, shown, links))
                .with("hasAlerts", !alerts.isEmpty())
                .with(
                        "alerts",
                        alerts.stream()
                                .map(row -> alert(row, links, request.moments()))
                                .toList());
        sums(view, rows, request.moments());
        long troubled = sum(rows, row -> row.status() == Status.RUNNING ? 0 : 1);
        return new Page(
                        troubled == 0 ? "Queues" : "(" + troubled + ") Queues",
                        "queues",
                        view,
                        List.of("queues-summary", "queues-kinds", "queues-table"))
                .headed("Queues", null);
    }

    /** Returns the figures of all queues as comma-separated values. */
    String csv(ConsoleRequest request) {
        Caller caller = request.caller();
        QueueResults<Figures> read = control.ofReadable(
                caller, queue -> Optional.of(figures.read(caller, control.queue(caller, queue), request.now())));
        StringBuilder csv = new StringBuilder("queue,status,scheduled,overdue,overKeyLimits,inProgress,dead,"
                + "diedInLastHour,attemptsInLast5Minutes,failedInLast5Minutes\r\n");
        read.found()
                .forEach(each -> csv.append(CsvRow.line(
                        each.queue().queue(),
                        each.status(),
                        each.queue().delayed(),
                        each.queue().ready(),
                        each.queue().heldBack(),
                        each.queue().leased(),
                        each.queue().dead(),
                        each.diedInTheHour(),
                        each.attemptsLately(),
                        each.failedLately())));
        read.unreadable()
                .forEach((queue, error) ->
                        csv.append(CsvRow.line(queue, error, null, null, null, null, null, null, null, null)));
        return csv.toString();
    }

    private Row read(ConsoleRequest request, String queue) {
        Caller caller = request.caller();
        Figures read = figures.read(caller, control.queue(caller, queue), request.now());
        return new Row(
                read,
                control.dueCounts(caller, queue, request.now(), MINUTE, MINUTES).counts(),
                read.status() == Status.FAILING ? reason(caller, queue) : null);
    }

    /** Quarantined tasks precede all other dead tasks in their list, so reads the newest task of either kind. */
    private @Nullable String reason(Caller caller, String queue) {
        return Stream.concat(
                        newest(caller, queue, null),
                        newest(caller, queue, TaskPosition.quarantine(0).text()))
                .max(Comparator.comparing(TaskView::nextAttentionAt))
                .map(TaskView::lastReason)
                .orElse(null);
    }

    private Stream<TaskView> newest(Caller caller, String queue, @Nullable String after) {
        return control.tasks(caller, queue, TaskState.DEAD, TaskFilter.ALL, 1, after).tasks().stream();
    }

    private static boolean contains(String queue, String part) {
        return queue.toLowerCase(Locale.ROOT).contains(part.strip().toLowerCase(Locale.ROOT));
    }

    private static List<View> kinds(List<Row> rows, @Nullable String shown, Links links) {
        List<View> kinds = new ArrayList<>();
        kinds.add(kind("All", rows.size(), shown == null, links.home()));
        for (Status status : Status.values()) {
            long count = rows.stream().filter(row -> row.status() == status).count();
            String name = status.name().toLowerCase(Locale.ROOT);
            kinds.add(
                    kind(status.label(), count, name.equals(shown), links.home().with("show", name)));
        }
        return kinds;
    }

    private static View kind(String name, long count, boolean isThis, Address link) {
        return View.of("kind", name)
                .with("kindCount", Numbers.grouped(count))
                .with("isThis", isThis)
                .with("kindLink", link);
    }

    private View alert(Row row, Links links, Moments moments) {
        boolean isFailing = row.status() == Status.FAILING;
        List<View> parts = new ArrayList<>(Attention.parts(row.figures(), moments));
        Long growth = row.growth();
        if (growth != null) {
            parts.add(Attention.part(
                    " " + Numbers.of(growth, "more task") + " a minute",
                    (growth == 1 ? " is" : " are") + " due in the next 5 minutes than were attempted in the last 5."));
        }
        if (row.reason() != null) {
            parts.add(Attention.part(" Last reason: ", ReasonsPage.message(row.reason())));
        }
        return figures.view(row.figures(), links)
                .with("what", Attention.title(row.figures()))
                .with("parts", parts)
                .with("isMild", Attention.isMild(row.status()))
                .with("alertVerb", isFailing ? "See failures" : "Open")
                .with(
                        "alertLink",
                        isFailing
                                ? links.of(row.queue().queue(), "reasons")
                                : links.queue(row.queue().queue()));
    }

    /** Returns more about the status: who paused the queue, or when it is due next if nothing is within the hour. */
    private static @Nullable String more(Row row, Moments moments) {
        QueueView queue = row.queue();
        if (queue.migratingFrom() != null) {
            return "resharding from " + queue.migratingFrom();
        }
        if (row.status() == Status.PAUSED) {
            return Attention.paused(queue.pause(), moments).strip();
        }
        Instant next = queue.nextAttentionAt();
        boolean isQuiet = sum(row.due(), Long::longValue) == 0 && queue.ready() + queue.leased() == 0;
        return next != null && isQuiet ? "next " + moments.distance(next) : null;
    }

    private View view(Row row, ConsoleRequest request) {
        Figures figures = row.figures();
        int minutes = MINUTES / Spark.BARS;
        List<Steps.Step> past = Steps.of(figures.hour(), figures.begin(), MINUTE.multipliedBy(minutes), Spark.BARS)
                .steps();
        Long growth = row.growth();
        List<Long> next = IntStream.range(0, Spark.BARS)
                .mapToObj(i -> sum(row.due().subList(i * minutes, (i + 1) * minutes), Long::longValue))
                .toList();
        return this.figures
                .view(figures, request.links())
                .with("statusMore", more(row, request.moments()))
                .with("growth", growth == null ? null : Numbers.grouped(growth))
                .with(
                        "pastBars",
                        Spark.bars(
                                past.stream().map(Steps.Step::delivered).toList(),
                                past.stream().map(Steps.Step::failed).toList()))
                .with("nextBars", Spark.bars(next))
                .with("hourDelivered", Numbers.grouped(figures.hour().sum(QueueRates.Period::delivered)))
                .with("hourFailed", Numbers.grouped(figures.hour().sum(QueueRates.Period::allFailed)))
                .with("hourDue", Numbers.grouped(sum(row.due(), Long::longValue)));
    }

    private static <T> long sum(List<T> all, ToLongFunction<T> of) {
        return all.stream().mapToLong(of).sum();
    }

    private static void sums(View view, List<Row> rows, Moments moments) {
        long overdue = sum(rows, row -> row.queue().ready());
        long dead = sum(rows, row -> row.queue().dead());
        long died = sum(rows, row -> row.figures().diedInTheHour());
        long attempts = sum(rows, row -> row.figures().attemptsLately());
        long failed = sum(rows, row -> row.figures().failedLately());
        double share = attempts == 0 ? 0 : (double) failed / attempts;
        @Nullable
        Duration oldest = rows.stream()
                .map(row -> row.figures().overdue())
                .filter(age -> age != null)
                .max(Comparator.naturalOrder())
                .orElse(null);
        Lateness lateness =
                rows.stream().map(row -> row.figures().lately().lateness()).reduce(Lateness.NONE, Lateness::plus);
        String late = Timeline.lateness(lateness, 0.99);
        view.with("overdueNow", Numbers.grouped(overdue))
                .with("oldestOverdue", oldest == null ? null : Moments.brief(oldest))
                .with("overdueTone", overdue > 0 && oldest != null ? "warn" : "")
                .with("failingNow", attempts == 0 ? "–" : Numbers.percent(share))
                .with(
                        "failingOf",
                        attempts == 0 ? "no attempts" : Numbers.grouped(failed) + " of " + Numbers.grouped(attempts))
                .with("failingTone", failed > 0 && share >= 0.05 ? "bad" : "")
                .with("deadNow", Numbers.grouped(dead))
                .with("deadTone", dead > 0 ? "bad" : "")
                .with("diedLately", died == 0 ? null : Numbers.grouped(died))
                .with("lateP99", late == null ? "–" : late);
        due(view, rows, moments);
    }

    private static void due(View view, List<Row> rows, Moments moments) {
        long[] perMinute = new long[MINUTES];
        rows.forEach(
                row -> Arrays.setAll(perMinute, i -> perMinute[i] + row.due().get(i)));
        int peak = 0;
        long all = 0;
        for (int i = 0; i < MINUTES; i++) {
            peak = perMinute[i] > perMinute[peak] ? i : peak;
            all += perMinute[i];
        }
        view.with("dueSoon", Numbers.grouped(all))
                .with("peak", all == 0 ? null : Numbers.grouped(perMinute[peak]))
                .with("peakAt", moments.view(moments.now().plus(MINUTE.multipliedBy(peak))));
    }

    private List<View> problems(Caller caller) {
        return control.problems(caller).entrySet().stream()
                .map(queue -> View.of("problemQueue", queue.getKey()).with("queueProblem", queue.getValue()))
                .toList();
    }

    static List<View> unreadable(Map<String, String> queues) {
        return queues.entrySet().stream()
                .map(queue -> View.of("queueName", queue.getKey()).with("error", queue.getValue()))
                .toList();
    }
}
