// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.input;

/** Sanitizes untrusted text for a message or a log line: one line, printable ASCII, limited length. */
public final class PrintableText {

    private static final String CUT = "...";

    private PrintableText() {}

    /**
     * Returns the text unchanged if it is a single line of at most {@code max} characters; otherwise escapes and
     * truncates it like {@link #of}.
     */
    public static String line(String text, int max) {
        return text.length() <= max && UnicodeText.isLine(text) ? text : of(text, max);
    }

    /** Escapes everything but printable ASCII, and truncates the result to {@code max} characters, including dots. */
    public static String of(String text, int max) {
        StringBuilder out = new StringBuilder(Math.min(text.length(), max) + 16);
        int roomForDots = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            out.append((c >= 0x20 && c < 0x7f && c != '\\') ? String.valueOf(c) : "\\u%04x".formatted((int) c));
            if (out.length() > max) {
                out.setLength(roomForDots);
                return out.append(CUT, 0, Math.min(CUT.length(), max)).toString();
            }
            if (out.length() <= max - CUT.length()) {
                roomForDots = out.length();
            }
        }
        return out.toString();
    }
}
