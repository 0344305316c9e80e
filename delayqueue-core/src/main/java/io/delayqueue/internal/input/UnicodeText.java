// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.input;

/** Checks whether UTF-8 can represent a string. */
public final class UnicodeText {

    private UnicodeText() {}

    /**
     * Returns whether every surrogate is paired. UTF-8 cannot encode an unpaired surrogate; Java would write a question
     * mark. Does not allocate memory, because it runs for every payload and id.
     */
    public static boolean isValid(String text) {
        for (int i = 0; i < text.length(); ) {
            int c = text.codePointAt(i);
            if (Character.getType(c) == Character.SURROGATE) {
                return false;
            }
            i += Character.charCount(c);
        }
        return true;
    }

    /**
     * Returns whether the text is valid and displays as a single line: it has no control character, no line or
     * paragraph separator, and no character that changes the text direction.
     */
    public static boolean isLine(String text) {
        for (int i = 0; i < text.length(); ) {
            int c = text.codePointAt(i);
            if ((c < ' ' || c >= 0x7f) && !isInLine(c)) {
                return false;
            }
            i += Character.charCount(c);
        }
        return true;
    }

    private static boolean isInLine(int codePoint) {
        return switch (Character.getType(codePoint)) {
            case Character.CONTROL, Character.SURROGATE, Character.LINE_SEPARATOR, Character.PARAGRAPH_SEPARATOR ->
                false;
            case Character.FORMAT ->
                (codePoint < 0x202a || codePoint > 0x202e) && (codePoint < 0x2066 || codePoint > 0x2069);
            default -> true;
        };
    }
}
