// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.console.html;

/**
 * Makes foreign text safe for a page. Escapes HTML, and shows the codes of invisible characters, invalid characters and
 * characters that change the direction of the text.
 */
public final class ShownText {

    private ShownText() {}

    public static String escaped(String text) {
        return escaped(text, false);
    }

    /** Escapes only HTML, for the value of a field that a form sends back. */
    static String unchanged(String text) {
        return escaped(text, true);
    }

    private static String escaped(String text, boolean unchanged) {
        StringBuilder out = new StringBuilder(text.length() + 16);
        for (int i = 0; i < text.length(); ) {
            int c = text.codePointAt(i);
            switch (c) {
                case '&' -> out.append("&amp;");
                case '<' -> out.append("&lt;");
                case '>' -> out.append("&gt;");
                case '"' -> out.append("&quot;");
                case '\'' -> out.append("&#39;");
                case '`' -> out.append("&#96;");
                default -> {
                    if (unchanged || isSeen(c)) {
                        out.appendCodePoint(c);
                    } else {
                        out.append("\\u%04x".formatted(c));
                    }
                }
            }
            i += Character.charCount(c);
        }
        return out.toString();
    }

    private static boolean isSeen(int c) {
        if (c == '\n' || c == '\t') {
            return true;
        }
        return switch (Character.getType(c)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.SURROGATE,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR,
                    Character.UNASSIGNED -> false;
            default -> true;
        };
    }
}
