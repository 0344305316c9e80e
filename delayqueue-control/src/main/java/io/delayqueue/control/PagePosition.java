// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.control;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Base64;

/**
 * Where a page ended, and how that is told to who asks for the next one.
 *
 * @param shard number of a shard
 * @param at moment of a task in it
 * @param id id of that task; empty for the beginning of the shard
 */
record PagePosition(int shard, Instant at, String id) {

    private static final String SEPARATOR = " ";
    private static final String NARROW = "a";
    private static final String WIDE = "b";

    /** In a byte for each character where that will do; ids that something else has left in Redis may hold any. */
    String asText() {
        String text = shard + SEPARATOR + at.toEpochMilli() + SEPARATOR + id;
        boolean isAscii = StandardCharsets.US_ASCII.newEncoder().canEncode(id);
        byte[] bytes = isAscii ? text.getBytes(StandardCharsets.US_ASCII) : wide(text);
        return (isAscii ? NARROW : WIDE)
                + Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    /** No charset, which would replace half characters. */
    private static byte[] wide(String text) {
        ByteBuffer bytes = ByteBuffer.allocate(2 * text.length());
        bytes.asCharBuffer().put(text);
        return bytes.array();
    }

    /** @throws IllegalArgumentException if no page ended so */
    static PagePosition parse(String text) {
        try {
            String[] parts = decoded(text).split(SEPARATOR, 3);
            int shard = Integer.parseInt(parts[0]);
            if (parts.length == 3 && shard >= 0) {
                return new PagePosition(shard, Instant.ofEpochMilli(Long.parseLong(parts[1])), parts[2]);
            }
        } catch (IllegalArgumentException | DateTimeException ex) {
            // as any other text that no page gave out
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
