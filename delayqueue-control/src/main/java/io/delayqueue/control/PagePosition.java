// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.control;

import io.delayqueue.admin.TaskPosition;
import io.delayqueue.internal.input.UnicodeText;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Base64;

/** The text form of a position, with which a caller requests the next page. */
final class PagePosition {

    private static final String SEPARATOR = " ";
    private static final String NARROW = "a";
    private static final String WIDE = "b";

    private PagePosition() {}

    /** Writes UTF-8 if possible; ids from other software in Redis may contain lone surrogates. */
    static String text(TaskPosition position) {
        String text = position.shard() + SEPARATOR + position.at().toEpochMilli() + SEPARATOR + position.id();
        boolean isValid = UnicodeText.isValid(position.id());
        byte[] bytes = isValid ? text.getBytes(StandardCharsets.UTF_8) : wide(text);
        return (isValid ? NARROW : WIDE)
                + Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    /** Does not use a charset, which would replace unpaired surrogates. */
    private static byte[] wide(String text) {
        ByteBuffer bytes = ByteBuffer.allocate(2 * text.length());
        bytes.asCharBuffer().put(text);
        return bytes.array();
    }

    /** @throws IllegalArgumentException if {@link #text} did not return it */
    static TaskPosition parse(String text) {
        try {
            String[] parts = decoded(text).split(SEPARATOR, 3);
            int shard = Integer.parseInt(parts[0]);
            if (parts.length == 3 && shard >= 0) {
                return new TaskPosition(shard, Instant.ofEpochMilli(Long.parseLong(parts[1])), parts[2]);
            }
        } catch (IllegalArgumentException | DateTimeException ex) {
            // refused below
        }
        throw new IllegalArgumentException("To continue, pass the value of 'next' from the previous page");
    }

    private static String decoded(String text) {
        byte[] bytes = Base64.getUrlDecoder().decode(text.substring(Math.min(1, text.length())));
        return text.startsWith(NARROW)
                ? new String(bytes, StandardCharsets.UTF_8)
                : ByteBuffer.wrap(bytes).asCharBuffer().toString();
    }
}
