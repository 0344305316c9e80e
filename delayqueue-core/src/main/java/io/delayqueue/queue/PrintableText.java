// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.queue;

/** Makes foreign text fit for a message or a log line: one line, printable ASCII, bounded. */
public final class PrintableText {

    private PrintableText() {}

    /** Escapes everything but printable ASCII and cuts what is longer than {@code max} characters. */
    public static String of(String text, int max) {
        StringBuilder out = new StringBuilder(Math.min(text.length(), max) + 16);
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            String piece = (c >= 0x20 && c < 0x7f && c != '\\') ? String.valueOf(c) : "\\u%04x".formatted((int) c);
            if (out.length() + piece.length() > max) {
                return out.append("...").toString();
            }
            out.append(piece);
        }
        return out.toString();
    }
}
