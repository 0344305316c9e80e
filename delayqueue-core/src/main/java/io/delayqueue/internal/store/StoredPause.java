// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.store;

import io.delayqueue.Due;
import io.delayqueue.admin.QueuePause;
import io.delayqueue.internal.input.PrintableText;
import java.time.Instant;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Stored form of a pause: {@code 1:<start>[:<end>:<who><line feed><reason>]}. */
final class StoredPause {

    private static final int LONGEST = 200;
    private static final Pattern FORM = Pattern.compile("1:(\\d{1,15})(?::(\\d{1,15}):(.*))?", Pattern.DOTALL);
    private static final String BETWEEN = "\n";

    private StoredPause() {}

    static String note(String by, String reason) {
        String note = PrintableText.line(by, LONGEST) + BETWEEN + PrintableText.line(reason, LONGEST);
        return note.equals(BETWEEN) ? "" : note;
    }

    /** @return the pause; null for empty text. A pause whose text another program wrote starts at the epoch */
    static @Nullable QueuePause parse(String text) {
        if (text.isEmpty()) {
            return null;
        }
        Matcher matcher = FORM.matcher(text);
        if (!matcher.matches()) {
            return new QueuePause(Instant.EPOCH, null, "", "");
        }
        String end = matcher.group(2);
        String note = matcher.group(3) == null ? "" : matcher.group(3);
        int between = note.indexOf(BETWEEN);
        return new QueuePause(
                moment(matcher.group(1)),
                end == null || Long.parseLong(end) == 0 ? null : moment(end),
                PrintableText.line(between < 0 ? note : note.substring(0, between), LONGEST),
                PrintableText.line(between < 0 ? "" : note.substring(between + 1), LONGEST));
    }

    private static Instant moment(String millis) {
        return Instant.ofEpochMilli(Math.min(Long.parseLong(millis), Due.MAX_EPOCH_MILLIS));
    }
}
