// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.input;

/** Makes foreign text fit for a message or a log line: one line, printable ASCII, bounded. */
public final class PrintableText {

    private static final String CUT = "...";

    private PrintableText() {}

    /** Returns a text as it is if it is one line of at most {@code max} characters, as ids are, else {@link #of} it. */
    public static String line(String text, int max) {
        return text.length() <= max && UnicodeText.isLine(text) ? text : of(text, max);
    }

    /**
     * Escapes everything but printable ASCII, and cuts what is then longer than {@code max} characters, dots included.
     */
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
