// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.console.autoconfigure;

import io.delayqueue.internal.input.PrintableText;
import java.util.regex.Pattern;

/** The path of the console in the application. */
record ConsolePath(String text) {

    private static final Pattern ALLOWED = Pattern.compile("(/[A-Za-z0-9][A-Za-z0-9._-]*)+");

    /** @throws InvalidConsoleSetupException if the text is not a valid path */
    static ConsolePath of(String text) {
        if (!ALLOWED.matcher(text).matches()) {
            throw new InvalidConsoleSetupException("delayqueue.console.path is '" + PrintableText.of(text, 80)
                    + "', but must be a path such as /delayqueue or /internal/queues, without a trailing slash");
        }
        return new ConsolePath(text);
    }

    String pattern() {
        return text + "/**";
    }
}
