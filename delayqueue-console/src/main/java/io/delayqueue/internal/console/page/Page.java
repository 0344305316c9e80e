// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.console.page;

import io.delayqueue.internal.console.html.View;
import java.util.List;

/**
 * A page to be rendered.
 *
 * @param title the heading
 * @param template the template of the content
 * @param view the values for the template
 * @param live templates of the parts that the script renews; each stands in an element with its name as {@code data-live}
 */
public record Page(String title, String template, View view, List<String> live) {}
