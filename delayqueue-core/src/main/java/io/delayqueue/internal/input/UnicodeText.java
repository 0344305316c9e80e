// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.input;

/** Tells text that UTF-8 carries unchanged from text that it does not. */
public final class UnicodeText {

    private UnicodeText() {}

    /**
     * Whether every surrogate has its other half. Text with a lone one has no bytes in UTF-8: Java writes a question
     * mark in its place. Makes nothing: it is asked for every payload and id.
     */
    public static boolean isValid(String text) {
        int length = text.length();
        for (int i = 0; i < length; i++) {
            if (Character.isSurrogate(text.charAt(i))) {
                if (!isPairAt(text, i)) {
                    return false;
                }
                i++;
            }
        }
        return true;
    }

    private static boolean isPairAt(String text, int index) {
        return index + 1 < text.length() && Character.isSurrogatePair(text.charAt(index), text.charAt(index + 1));
    }
}
