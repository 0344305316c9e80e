// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.control;

import io.delayqueue.admin.TaskPosition;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Base64;

/** The text by which a caller asks for the page after a position. */
final class PagePosition {

    private static final String SEPARATOR = " ";
    private static final String NARROW = "a";
    private static final String WIDE = "b";

    private PagePosition() {}

    /** Takes a byte for each character if it can; ids that something else has left in Redis may have any. */
    static String text(TaskPosition position) {
        String text = position.shard() + SEPARATOR + position.at().toEpochMilli() + SEPARATOR + position.id();
        boolean isAscii = StandardCharsets.US_ASCII.newEncoder().canEncode(position.id());
        byte[] bytes = isAscii ? text.getBytes(StandardCharsets.US_ASCII) : wide(text);
        return (isAscii ? NARROW : WIDE)
                + Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    /** Does not use a charset, which would replace half characters. */
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
        throw new IllegalArgumentException("Pages go on with what the page before has given as 'next'");
    }

    private static String decoded(String text) {
        byte[] bytes = Base64.getUrlDecoder().decode(text.substring(Math.min(1, text.length())));
        return text.startsWith(NARROW)
                ? new String(bytes, StandardCharsets.US_ASCII)
                : ByteBuffer.wrap(bytes).asCharBuffer().toString();
    }
}
