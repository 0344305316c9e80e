// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.redis;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What scripts share. Redis makes every function of a script anew at each call, so each script gets only those that it
 * uses.
 */
final class Prelude {

    private static final Pattern FUNCTION = Pattern.compile("^local function (\\w+)", Pattern.MULTILINE);

    private final List<Paragraph> paragraphs;

    /** @param text constants, then functions: each a paragraph, using only those above it */
    Prelude(String text) {
        this.paragraphs = Stream.of(text.split("\\R{2,}")).map(Paragraph::of).toList();
    }

    /** Puts in front of a script what it uses. */
    String before(String script) {
        String source = script;
        for (int i = paragraphs.size() - 1; i >= 0; i--) {
            Paragraph paragraph = paragraphs.get(i);
            if (paragraph.isUsedBy(source)) {
                source = paragraph.text() + "\n\n" + source;
            }
        }
        return source;
    }

    /** @param call how the function is called that it has; null if it has none, but constants */
    private record Paragraph(String text, @Nullable String call) {

        static Paragraph of(String text) {
            Matcher function = FUNCTION.matcher(text);
            return new Paragraph(text.strip(), function.find() ? function.group(1) + "(" : null);
        }

        /** Without a regular expression: the start of an application waits for this. */
        boolean isUsedBy(String source) {
            if (call == null) {
                return true;
            }
            int at = source.indexOf(call);
            while (at > 0 && isOfName(source.charAt(at - 1))) {
                at = source.indexOf(call, at + 1);
            }
            return at >= 0;
        }

        private static boolean isOfName(char character) {
            return Character.isLetterOrDigit(character) || character == '_';
        }
    }
}
