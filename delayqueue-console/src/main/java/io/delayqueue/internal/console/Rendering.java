// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.console;

import io.delayqueue.internal.console.html.Templates;
import io.delayqueue.internal.console.html.View;
import io.delayqueue.internal.console.page.Links;
import io.delayqueue.internal.console.page.Page;
import io.delayqueue.internal.console.page.Said;
import io.delayqueue.internal.console.request.ConsoleRequest;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Makes pages of HTML of what they show, with the frame that is around each. */
final class Rendering {

    private final Templates templates = new Templates();
    private final FormTokens tokens;
    private final String version;

    /** @param version of the assets */
    Rendering(FormTokens tokens, String version) {
        this.tokens = tokens;
        this.version = version;
    }

    ConsoleAnswer page(ConsoleRequest request, Page page) {
        return ConsoleAnswer.html(200, html(request, page, Said.of(request.parameter("done"))));
    }

    /** The live parts of a page by their names. */
    Map<String, String> live(ConsoleRequest request, Page page) {
        Map<String, String> parts = new LinkedHashMap<>();
        View view = withToken(request, page.view());
        page.live().forEach(name -> parts.put(name, templates.render(name, view)));
        return parts;
    }

    ConsoleAnswer error(ConsoleRequest request, int status, String title) {
        return error(request, new Trouble(status, title, "", ""));
    }

    ConsoleAnswer error(ConsoleRequest request, Trouble trouble) {
        View view = View.of("message", trouble.message()).with("advice", trouble.advice());
        return ConsoleAnswer.html(
                trouble.status(), html(request, new Page(trouble.title(), "trouble", view, List.of()), null));
    }

    private String html(ConsoleRequest request, Page page, @Nullable String said) {
        Links links = new Links(request.base());
        View frame = View.of("title", page.title())
                .with("body", templates.render(page.template(), withToken(request, page.view())))
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

    private View withToken(ConsoleRequest request, View view) {
        ConsoleRequest.Csrf csrf = request.csrf();
        View whole = new View();
        whole.putAll(view);
        return csrf == null
                ? whole.with("csrfParameter", FormTokens.PARAMETER)
                        .with("csrfToken", tokens.issue(request.caller().name()))
                : whole.with("csrfParameter", csrf.parameter()).with("csrfToken", csrf.token());
    }
}
