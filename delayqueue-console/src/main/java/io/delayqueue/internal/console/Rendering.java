// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.console;

import io.delayqueue.internal.console.html.Links;
import io.delayqueue.internal.console.html.Templates;
import io.delayqueue.internal.console.html.View;
import io.delayqueue.internal.console.page.Page;
import io.delayqueue.internal.console.page.Said;
import io.delayqueue.internal.console.request.ConsoleRequest;
import io.delayqueue.internal.control.web.Problem;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Renders pages as HTML inside the common frame. */
final class Rendering {

    private final Templates templates = new Templates();
    private final String version;
    private final Installation installation;

    /** @param version version of the assets */
    Rendering(String version, Installation installation) {
        this.version = version;
        this.installation = installation;
    }

    ConsoleAnswer page(ConsoleRequest request, Page page) {
        return ConsoleAnswer.html(
                200, html(request, page, withHiddenFields(request, page.view()), said(request), null));
    }

    /** Returns the page of a form with invalid input, which keeps the input. */
    ConsoleAnswer refused(ConsoleRequest request, Page page, Problem problem, @Nullable String field) {
        String html = html(request, page, withHiddenFields(request, page.view()), null, problem);
        if (field != null) {
            html = FieldErrors.at(html, field, request.parameter(field), problem.message());
        }
        return ConsoleAnswer.html(problem.status(), html);
    }

    ConsoleAnswer error(ConsoleRequest request, int status, String title) {
        return error(request, new Problem(status, title, "", ""));
    }

    ConsoleAnswer error(ConsoleRequest request, Problem problem) {
        View view = View.of("message", problem.message()).with("advice", problem.advice());
        Page page = new Page(problem.title(), "trouble", view, List.of());
        return ConsoleAnswer.html(problem.status(), html(request, page, view, null, null));
    }

    private String html(ConsoleRequest request, Page page, View body, @Nullable View said, @Nullable Problem problem) {
        Links links = request.links();
        String head = page.head();
        View frame = View.of("title", page.title())
                .with("heading", page.heading())
                .with("crumbs", page.crumbs())
                .with("hasCrumbs", !page.crumbs().isEmpty())
                .with("head", head == null ? "" : live(head, templates.render(head, body)))
                .with("body", templates.render(page.template(), body))
                .with("application", installation.application())
                .with("label", installation.label())
                .with("labelTone", installation.isProduction() ? "bad" : "")
                .with("hiddenFields", body.getOrDefault("hiddenFields", List.of()))
                .with(
                        "signOut",
                        request.caller().principal() == null || !body.containsKey("hiddenFields")
                                ? null
                                : installation.signOut(request.base()))
                .with("problem", problem == null ? null : problem.message())
                .with("base", request.base())
                .with("version", version)
                .with("home", links.home())
                .with("isLive", !page.live().isEmpty())
                .with("said", said)
                .with(
                        "caller",
                        request.caller().principal() == null
                                ? "Anonymous"
                                : request.caller().name());
        String section = section(page.template());
        frame.with("searched", page.template().equals("search") ? request.parameter("id") : null);
        frame.with("search", links.page("search")).with("atQueues", section.equals("queues"));
        for (String name : List.of("failures", "instances", "operations", "activity")) {
            frame.with(name, links.page(name)).with("at-" + name, section.equals(name));
        }
        return templates.render("frame", frame);
    }

    private static @Nullable View said(ConsoleRequest request) {
        return Said.of(request, request.moments());
    }

    private static String live(String name, String html) {
        return "<div data-live=\"" + name + "\">" + html + "</div>";
    }

    /** Returns the page's tab in the header. */
    private static String section(String template) {
        return switch (template) {
            case "reasons", "failures-none" -> "failures";
            case "operations", "operation" -> "operations";
            case "activity" -> "activity";
            case "instances" -> "instances";
            case "search", "trouble" -> "";
            default -> "queues";
        };
    }

    private static View withHiddenFields(ConsoleRequest request, View view) {
        View whole = new View();
        whole.putAll(view);
        return whole.with(
                "hiddenFields",
                request.hiddenFields().get().entrySet().stream()
                        .map(field -> View.of("field", field.getKey()).with("content", field.getValue()))
                        .toList());
    }
}
