// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.console;

import io.delayqueue.internal.console.html.ShownText;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Shows an error beside the form field that caused it, and keeps the user's input. */
final class FieldErrors {

    private static final String FILLED = " value=\"[^\"]+\"";

    private FieldErrors() {}

    /**
     * Returns the page with the error at the first field of that name. Returns the page unchanged if it has no such
     * field.
     *
     * @param typed the user's input in the field; null for none
     */
    static String at(String html, String field, @Nullable String typed, String message) {
        Matcher input = Pattern.compile("<input([^>]* name=\"" + Pattern.quote(field) + "\"[^>]*)>")
                .matcher(html);
        if (!input.find() || input.group(1).contains("type=\"hidden\"")) {
            return html;
        }
        String attributes = input.group(1);
        if (typed != null && !Pattern.compile(FILLED).matcher(attributes).find()) {
            attributes = attributes.replace(" value=\"\"", "") + " value=\"" + ShownText.escaped(typed) + "\"";
        }
        return html.substring(0, input.start()) + "<input" + attributes
                + " aria-invalid=\"true\" aria-describedby=\"field-error\"><p class=\"error\" id=\"field-error\">"
                + ShownText.escaped(message) + "</p>" + html.substring(input.end());
    }
}
