// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.console.page;

import io.delayqueue.internal.console.html.View;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A page to be rendered.
 *
 * @param title title in the browser
 * @param crumbs links to the pages above it, each with {@code crumbName} and {@code crumbLink}
 * @param head the template beside the heading; null for none
 * @param template the template of the content
 * @param view the values for the templates
 * @param live templates of the parts that the script refreshes; each is in an element with its name in {@code
 *     data-live}
 */
public record Page(
        String title,
        String heading,
        List<View> crumbs,
        @Nullable String head,
        String template,
        View view,
        List<String> live) {

    public Page(String title, String template, View view, List<String> live) {
        this(title, title, List.of(), null, template, view, live);
    }

    /** Returns this page with links to the pages above it. */
    Page below(View... crumbs) {
        return new Page(title, heading, List.of(crumbs), head, template, view, live);
    }

    /** Returns this page with a heading that differs from its title. */
    Page headed(String heading, @Nullable String head) {
        return new Page(title, heading, crumbs, head, template, view, live);
    }
}
