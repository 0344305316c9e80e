// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.engine;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;

/** Formats an error as Java prints it, within a number of bytes. */
final class StackTraceText {

    private static final String CUT = "\n... cut";
    private static final Pattern CONTROL = Pattern.compile("[\\p{Cntrl}&&[^\t\n]]");

    private StackTraceText() {}

    /** Returns the text. It has no control characters other than tabs and line feeds. */
    static String of(Throwable error, int mostBytes) {
        try {
            StringWriter printed = new StringWriter();
            error.printStackTrace(new PrintWriter(printed));
            String text = CONTROL.matcher(printed.toString().replace("\r\n", "\n"))
                    .replaceAll(
                            found -> "\\\\u%04x".formatted((int) found.group().charAt(0)));
            int fitting = fitting(text, mostBytes);
            return fitting == text.length() ? text : text.substring(0, fitting(text, mostBytes - CUT.length())) + CUT;
        } catch (Throwable ex) {
            // An exception of the application may override the methods that this calls, and throw.
            return "";
        }
    }

    /** Returns how many characters fit. The encoder never splits a character. */
    private static int fitting(String text, int bytes) {
        CharBuffer read = CharBuffer.wrap(text);
        StandardCharsets.UTF_8
                .newEncoder()
                .onMalformedInput(CodingErrorAction.REPLACE)
                .encode(read, ByteBuffer.allocate(bytes), true);
        return read.position();
    }
}
