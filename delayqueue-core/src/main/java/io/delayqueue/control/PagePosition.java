// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.control;

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

    private static final int LONGEST = 8 * 1024;

    /** Ids that something else has left in Redis may hold characters that UTF-8 cannot. */
    String asText() {
        String text = shard + " " + at.toEpochMilli() + " " + id;
        return Base64.getUrlEncoder().withoutPadding().encodeToString(text.getBytes(StandardCharsets.UTF_16BE));
    }

    /** @throws IllegalArgumentException if no page ended so */
    static PagePosition parse(String text) {
        try {
            if (text.length() <= LONGEST) {
                String[] parts =
                        new String(Base64.getUrlDecoder().decode(text), StandardCharsets.UTF_16BE).split(" ", 3);
                int shard = Integer.parseInt(parts[0]);
                if (parts.length == 3 && shard >= 0) {
                    return new PagePosition(shard, Instant.ofEpochMilli(Long.parseLong(parts[1])), parts[2]);
                }
            }
        } catch (IllegalArgumentException | DateTimeException ex) {
            // as any other text that no page gave out
        }
        throw new IllegalArgumentException("Pages go on with what the page before has given as 'next'");
    }
}
