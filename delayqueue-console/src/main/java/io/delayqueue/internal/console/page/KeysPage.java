// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.console.page;

import io.delayqueue.control.Caller;
import io.delayqueue.control.QueuePermission;
import io.delayqueue.internal.console.html.Address;
import io.delayqueue.internal.console.html.Links;
import io.delayqueue.internal.console.html.Numbers;
import io.delayqueue.internal.console.html.View;
import io.delayqueue.internal.console.request.ConsoleRequest;
import io.delayqueue.internal.control.KeyView;
import io.delayqueue.internal.control.QueueControl;
import io.delayqueue.internal.control.QueueView;
import io.delayqueue.internal.queue.LimitSettings;
import io.delayqueue.internal.queue.QueueCatalog;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The page with the limits of a queue, the keys over their limit, and the settings of one key. */
record KeysPage(QueueControl control, QueueCatalog catalog) {

    /** The end of a closure without an end: the latest time that Redis stores. */
    private static final Instant ENDLESS = Instant.parse("9999-12-31T00:00:00Z");

    Page show(ConsoleRequest request, String queue) {
        Caller caller = request.caller();
        QueueView home = control.queue(caller, queue);
        Links links = request.links();
        LimitSettings limits = catalog.get(queue).limits();
        String key = request.fields().text("key");
        List<View> waiting = control.waitingKeys(caller, queue).stream()
                .map(found -> row(request, queue, limits, found))
                .toList();
        View view = View.of("queue", queue)
                .with("tabs", QueueFigures.tabs(home, links, "Keys"))
                .with("self", links.of(queue, "keys"))
                .with("keys", waiting)
                .with("noKeys", waiting.isEmpty())
                .with("heldBack", Numbers.of(home.heldBack(), "task"))
                .with("limits", limits(limits))
                .with("noLimits", limits.equals(LimitSettings.NONE))
                .with("key", key)
                .with("operates", home.permissions().contains(QueuePermission.OPERATE));
        if (key != null) {
            describe(view, request, queue, key, limits);
        }
        return new Page("Keys of " + queue, "keys", view, List.of("keys-table", "key-facts"))
                .headed(queue, null)
                .below(links.homeCrumb());
    }

    private static View row(ConsoleRequest request, String queue, LimitSettings limits, KeyView key) {
        return View.of("name", key.key())
                .with("link", request.links().of(queue, "keys").with("key", key.key()))
                .with("waiting", Numbers.grouped(key.waiting()))
                .with("limit", LimitWords.ofKey(limits, key))
                .with("isClosed", key.closedUntil() != null)
                .with("nextTurn", isEndless(key) ? null : request.moments().view(key.nextTurn()));
    }

    private static boolean isEndless(KeyView key) {
        Instant until = key.closedUntil();
        return until != null && !until.isBefore(ENDLESS);
    }

    private void describe(View view, ConsoleRequest request, String queue, String key, LimitSettings limits) {
        KeyView set = control.key(request.caller(), queue, key);
        view.with("keyTasksLink", request.links().tasks(queue).with("key", key))
                .with("keyLimit", LimitWords.ofKey(limits, set))
                .with("isSet", set.interval() != null || set.concurrency() != null)
                .with("keyRate", set.interval() == null ? null : LimitWords.rate(set.interval(), set.burst()))
                .with("keyConcurrency", set.concurrency())
                .with("isClosed", set.closedUntil() != null)
                .with("isEndless", isEndless(set))
                .with("closedUntil", isEndless(set) ? null : request.moments().view(set.closedUntil()))
                .with("keyWaiting", set.waiting() == 0 ? null : Numbers.of(set.waiting(), "task"))
                .with("keyTurn", isEndless(set) ? null : request.moments().view(set.nextTurn()));
        for (String action : List.of("limit", "close", "open")) {
            Address link = request.links().of(queue, action + "-key");
            view.with(action + "Link", link);
        }
    }

    /** Returns the configured limits. */
    private static List<View> limits(LimitSettings limits) {
        List<View> rows = new ArrayList<>();
        add(rows, "Queue", limits.rate() == null ? null : LimitWords.rate(limits.rate()));
        add(
                rows,
                "Queue, when overdue",
                limits.rateWhenOverdue() == null ? null : LimitWords.rate(limits.rateWhenOverdue()));
        add(rows, "Each key", limits.keyRate() == null ? null : LimitWords.rate(limits.keyRate()));
        add(
                rows,
                "Each key, in progress",
                limits.keyConcurrency() == null ? null : limits.keyConcurrency() + " at a time");
        return rows;
    }

    private static void add(List<View> rows, String what, @Nullable String limit) {
        if (limit != null) {
            rows.add(View.of("what", what).with("limit", limit));
        }
    }
}
