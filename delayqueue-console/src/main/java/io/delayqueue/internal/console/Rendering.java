// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.console;

import io.delayqueue.internal.console.html.Templates;
import io.delayqueue.internal.console.html.View;
import io.delayqueue.internal.console.page.Links;
import io.delayqueue.internal.console.page.Page;
import io.delayqueue.internal.console.page.Said;
import io.delayqueue.internal.console.request.ConsoleRequest;
import io.delayqueue.internal.control.web.Problem;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Makes pages of HTML of what they show, with the frame that is around each. */
final class Rendering {

    private final Templates templates = new Templates();
    private final String version;

    /** @param version of the assets */
    Rendering(String version) {
        this.version = version;
    }

    ConsoleAnswer page(ConsoleRequest request, Page page) {
        return ConsoleAnswer.html(
                200, html(request, page, withHiddenFields(request, page.view()), Said.of(request.parameter("done"))));
    }

    ConsoleAnswer error(ConsoleRequest request, int status, String title) {
        return error(request, new Problem(status, title, "", ""));
    }

    ConsoleAnswer error(ConsoleRequest request, Problem problem) {
        View view = View.of("message", problem.message()).with("advice", problem.advice());
        Page page = new Page(problem.title(), "trouble", view, List.of());
        return ConsoleAnswer.html(problem.status(), html(request, page, view, null));
    }

    private String html(ConsoleRequest request, Page page, View body, @Nullable String said) {
        Links links = new Links(request.base());
        View frame = View.of("title", page.title())
                .with("body", templates.render(page.template(), body))
                .with("base", request.base())
                .with("version", version)
                .with("home", links.home())
                .with("search", links.search())
                .with("operations", links.operations())
                .with("isLive", !page.live().isEmpty())
                .with("said", said)
                .with("isKnown", request.caller().principal() != null)
                .with("caller", request.caller().name());
        return templates.render("frame", frame);
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
