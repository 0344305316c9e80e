// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.console;

import io.delayqueue.DelayQueueException;
import io.delayqueue.internal.console.page.Changes;
import io.delayqueue.internal.console.page.Export;
import io.delayqueue.internal.console.page.Page;
import io.delayqueue.internal.console.page.Pages;
import io.delayqueue.internal.console.request.ConsoleRequest;
import io.delayqueue.internal.control.QueueControl;
import io.delayqueue.internal.control.web.Problem;
import io.delayqueue.internal.queue.QueueCatalog;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * The console, for callers with access: GET shows a page, POST makes a change. It keeps no state between requests.
 * Thread-safe; its calls block like those of {@link QueueControl}.
 */
public final class Console implements AutoCloseable {

    private static final String NOT_THERE = "Page not found";
    private static final Problem FOREIGN_FORM = new Problem(
            403,
            "Form expired",
            "Nothing was changed: your browser did not confirm that the form came from this console.",
            "If the application is behind a proxy, configure the proxy to forward the browser's Host header.");
    private static final Problem FOREIGN_HOST = new Problem(
            403,
            "The console does not accept this host name",
            "Another site may have pointed its own host name at this server.",
            "Use localhost or an IP address, or add the host name to delayqueue.console.hosts.");
    private static final Problem WITHOUT_ROLE = new Problem(
            403,
            "You may not see the console",
            "You need one of the roles in delayqueue.console.roles.",
            "Request such a role, or sign in as another user.");

    private static final String CSV = "text/csv;charset=UTF-8";

    private final Assets assets = new Assets();
    private final Pages pages;
    private final SharedPages shared;
    private final Changes changes;
    private final Export export;
    private final Rendering rendering;

    public Console(QueueControl control, QueueCatalog catalog, Installation installation) {
        this.pages = new Pages(control, catalog);
        this.shared = new SharedPages(control, pages::find, System::nanoTime);
        this.changes = new Changes(control);
        this.export = new Export(control);
        this.rendering = new Rendering(assets.version(), installation);
    }

    /** Answers a request from a caller with access. */
    public ConsoleAnswer answer(ConsoleRequest request) {
        List<String> segments = Arrays.stream(request.path().split("/"))
                .filter(part -> !part.isEmpty())
                .toList();
        try {
            if (segments.size() == 3 && segments.get(0).equals("assets")) {
                return assets.answer(segments.get(1), segments.get(2));
            }
            return switch (request.method()) {
                case "GET", "HEAD" -> shown(request, segments);
                case "POST" -> changed(request, segments);
                default -> rendering.error(request, 405, "The console supports only GET and POST");
            };
        } catch (IllegalArgumentException | DelayQueueException ex) {
            return failed(request, segments, ex);
        }
    }

    /** Breaks off downloads. Otherwise the web server would wait for them when the application stops. */
    @Override
    public void close() {
        export.close();
    }

    /** Answers a request from a caller without access, with the reason. */
    public ConsoleAnswer refuse(ConsoleRequest request, ConsoleGate.Decision decision) {
        return rendering.error(request, decision == ConsoleGate.Decision.FOREIGN_HOST ? FOREIGN_HOST : WITHOUT_ROLE);
    }

    private ConsoleAnswer changed(ConsoleRequest request, List<String> segments) {
        if (!request.origin().isOwn()) {
            return rendering.error(request, FOREIGN_FORM);
        }
        try {
            return changes.make(request, segments)
                    .map(address -> ConsoleAnswer.seeOther(address.text()))
                    .orElseGet(() -> rendering.error(request, 404, NOT_THERE));
        } finally {
            shared.forget();
        }
    }

    private ConsoleAnswer failed(ConsoleRequest request, List<String> segments, RuntimeException ex) {
        Problem problem = request.method().equals("POST") ? Problem.of(ex) : Problem.ofRead(ex);
        if (problem.status() == 400) {
            Optional<Page> form = form(request, segments);
            if (form.isPresent()) {
                return rendering.refused(request, form.get(), problem, ConsoleRequest.fieldOf(problem.message()));
            }
        }
        return rendering.error(request, problem);
    }

    /** Returns the page that contains the form of the request; empty if that page cannot be shown. */
    private Optional<Page> form(ConsoleRequest request, List<String> segments) {
        try {
            return pages.findForm(request, segments);
        } catch (IllegalArgumentException | DelayQueueException ex) {
            return Optional.empty();
        }
    }

    private ConsoleAnswer exported(ConsoleRequest request, String queue) {
        return new ConsoleAnswer.Chunks(
                200, ResponseHeaders.download(CSV, export.fileName(request, queue)), export.of(request, queue));
    }

    private ConsoleAnswer shown(ConsoleRequest request, List<String> segments) {
        if (segments.equals(List.of("queues.csv"))) {
            byte[] csv = pages.csv(request).getBytes(StandardCharsets.UTF_8);
            return new ConsoleAnswer.Whole(200, ResponseHeaders.download(CSV, "queues.csv"), csv);
        }
        if (segments.size() == 3
                && segments.get(0).equals("queues")
                && segments.get(2).equals("tasks.csv")) {
            return exported(request, segments.get(1));
        }
        Optional<Page> found = request.isRenewal() ? shared.find(request, segments) : pages.find(request, segments);
        if (found.isEmpty()) {
            return rendering.error(request, 404, NOT_THERE);
        }
        return rendering.page(request, found.get());
    }
}
