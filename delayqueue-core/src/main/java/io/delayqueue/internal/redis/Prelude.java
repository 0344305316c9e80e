// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.redis;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Functions that scripts share. Redis creates all functions of a script at each call, so a script includes only the
 * functions that it uses.
 */
final class Prelude {

    private static final Pattern FUNCTION = Pattern.compile("^local function (\\w+)", Pattern.MULTILINE);

    private final List<Paragraph> paragraphs;

    /** @param text the constants, followed by the functions; each is a paragraph and uses only earlier paragraphs */
    Prelude(String text) {
        this.paragraphs = Stream.of(text.split("\\R{2,}")).map(Paragraph::of).toList();
    }

    /** Prefixes a script with the functions that it uses. */
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

    /** @param call the beginning of a call to its function; null for constants */
    private record Paragraph(String text, @Nullable String call) {

        static Paragraph of(String text) {
            Matcher function = FUNCTION.matcher(text);
            return new Paragraph(text.strip(), function.find() ? function.group(1) + "(" : null);
        }

        /**
         * Returns whether a script uses this paragraph. Avoids regular expressions, because this delays the start of an
         * application.
         */
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
