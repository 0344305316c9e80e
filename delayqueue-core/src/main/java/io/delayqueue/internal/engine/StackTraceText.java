// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.engine;

import io.delayqueue.internal.input.PrintableText;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;

/**
 * Formats an error with its causes as Java prints them, within a number of bytes. If necessary, omits the last frames
 * of each one, so that all causes stay visible.
 */
final class StackTraceText {

    private static final int MOST_FRAMES = 256;
    private static final int MOST_CAUSES = 20;
    private static final int LONGEST_MESSAGE = 500;
    private static final int LONGEST_FRAME = 300;

    private StackTraceText() {}

    /** Returns the text. Its lines have no control characters except the tab before a frame. */
    static String of(Throwable error, int mostBytes) {
        try {
            String text = "";
            for (int frames = MOST_FRAMES; frames >= 0; frames = frames == 0 ? -1 : frames / 2) {
                text = text(error, frames);
                if (size(text) <= mostBytes) {
                    return text;
                }
            }
            return cut(text, mostBytes);
        } catch (Throwable ex) {
            // An exception of the application may override this method and throw.
            return "";
        }
    }

    private static String text(Throwable error, int frames) {
        StringBuilder text = new StringBuilder();
        Set<Throwable> seen = Collections.newSetFromMap(new IdentityHashMap<>());
        StackTraceElement[] outer = {};
        for (Throwable each = error;
                each != null && seen.size() < MOST_CAUSES && seen.add(each);
                each = each.getCause()) {
            String message = each.getMessage();
            text.append(seen.size() == 1 ? "" : "Caused by: ")
                    .append(PrintableText.line(each.getClass().getName(), LONGEST_MESSAGE))
                    .append(message == null ? "" : ": " + PrintableText.line(message, LONGEST_MESSAGE))
                    .append('\n');
            StackTraceElement[] trace = each.getStackTrace();
            int shown = Math.min(frames, trace.length - inCommon(trace, outer));
            for (int i = 0; i < shown; i++) {
                text.append("\tat ")
                        .append(PrintableText.line(trace[i].toString(), LONGEST_FRAME))
                        .append('\n');
            }
            if (shown < trace.length) {
                text.append("\t... ").append(trace.length - shown).append(" more\n");
            }
            outer = trace;
        }
        return text.toString();
    }

    /** Returns how many frames at the end of both traces are equal. */
    private static int inCommon(StackTraceElement[] trace, StackTraceElement[] outer) {
        int count = 0;
        while (count < Math.min(trace.length, outer.length)
                && trace[trace.length - 1 - count].equals(outer[outer.length - 1 - count])) {
            count++;
        }
        return count;
    }

    private static String cut(String text, int mostBytes) {
        int length = Math.min(text.length(), mostBytes);
        while (size(text.substring(0, length)) > mostBytes) {
            length--;
        }
        return text.substring(0, length);
    }

    private static int size(String text) {
        return text.getBytes(StandardCharsets.UTF_8).length;
    }
}
