// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.console;

import io.delayqueue.DelayQueueException;
import io.delayqueue.control.QueueControl;
import io.delayqueue.internal.console.page.Changes;
import io.delayqueue.internal.console.page.CsvExport;
import io.delayqueue.internal.console.page.Export;
import io.delayqueue.internal.console.page.ExportFormat;
import io.delayqueue.internal.console.page.JsonExport;
import io.delayqueue.internal.console.page.Page;
import io.delayqueue.internal.console.page.Pages;
import io.delayqueue.internal.console.request.ConsoleRequest;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The console, for callers that were let in: pages for GET, changes for POST. It has no state that another process would need.
 * Safe for use by many threads; calls block as those of {@link QueueControl} do and throw nothing that was to be expected.
 */
public final class Console {

    private static final String NOT_THERE = "There is no such page";
    private static final Duration STEP = Duration.ofSeconds(2);
    private static final Duration LONGEST = Duration.ofMinutes(5);

    private final Assets assets = new Assets();
    private final Pages pages;
    private final SharedPages shared;
    private final Changes changes;
    private final Export export;
    private final FormTokens tokens;
    private final Rendering rendering;

    /** @param csrfSecret the same in all processes behind a load balancer; null for one that only this process knows */
    public Console(QueueControl control, @Nullable String csrfSecret, InstantSource clock) {
        this.tokens = new FormTokens(csrfSecret, clock);
        this.pages = new Pages(control, clock);
        this.shared = new SharedPages(control, pages::find, System::nanoTime);
        this.changes = new Changes(control, clock);
        this.export = new Export(control, clock);
        this.rendering = new Rendering(tokens, assets.version());
    }

    /** Answers somebody who was let in. */
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
                default -> rendering.error(request, 405, "The console takes GET and POST only");
            };
        } catch (IllegalArgumentException | DelayQueueException ex) {
            return rendering.error(request, Trouble.of(ex));
        }
    }

    /** Tells somebody who was not let in, and who is known, why. */
    public ConsoleAnswer refuse(ConsoleRequest request, ConsoleGate.Decision decision) {
        return rendering.error(request, Trouble.of(decision));
    }

    private ConsoleAnswer changed(ConsoleRequest request, List<String> segments) {
        String refusal = tokens.refusal(
                request.origin(),
                request.caller().name(),
                request.parameter(FormTokens.PARAMETER),
                request.csrf() != null);
        if (refusal != null) {
            return rendering.error(request, Trouble.ofForm(refusal));
        }
        return changes.make(request, segments)
                .map(address -> ConsoleAnswer.seeOther(address.text()))
                .orElseGet(() -> rendering.error(request, 404, NOT_THERE));
    }

    private ConsoleAnswer exported(ConsoleRequest request, String queue, ExportFormat format) {
        Export.File file = export.of(request, queue, format);
        return new ConsoleAnswer.Chunks(
                200, ResponseHeaders.download(format.mediaType(), queue + "." + format.suffix()), file, file::close);
    }

    private ConsoleAnswer shown(ConsoleRequest request, List<String> segments) {
        if (segments.size() == 3 && segments.get(0).equals("queues")) {
            switch (segments.get(2)) {
                case "tasks.csv" -> {
                    return exported(request, segments.get(1), new CsvExport());
                }
                case "tasks.json" -> {
                    return exported(request, segments.get(1), new JsonExport());
                }
                default -> {}
            }
        }
        Optional<Page> found = request.isRenewal() ? shared.find(request, segments) : pages.find(request, segments);
        if (found.isEmpty()) {
            return rendering.error(request, 404, NOT_THERE);
        }
        Page page = found.get();
        if (!request.wantsEvents()) {
            return rendering.page(request, page);
        }
        if (page.live().isEmpty()) {
            return ConsoleAnswer.nothing();
        }
        return new ConsoleAnswer.Events(
                200,
                ResponseHeaders.events(),
                new LiveParts(
                        rendering, request, () -> shared.find(request, segments).orElseThrow()),
                STEP,
                LONGEST);
    }
}
