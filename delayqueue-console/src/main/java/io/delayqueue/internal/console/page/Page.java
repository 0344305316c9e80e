// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.console.page;

import io.delayqueue.internal.console.html.View;
import java.util.List;

/**
 * A page that is to be rendered.
 *
 * @param title its heading
 * @param template of what stands under that
 * @param view what the template shows
 * @param live templates of the parts that are renewed while somebody looks at it; each stands in an element with its name as
 *     {@code data-live}
 */
public record Page(String title, String template, View view, List<String> live) {}
