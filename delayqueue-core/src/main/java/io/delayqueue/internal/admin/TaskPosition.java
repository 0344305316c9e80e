// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.admin;

import io.delayqueue.internal.input.UnicodeText;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Base64;

/**
 * A position among the live or dead tasks of a queue.
 *
 * @param shard number of a shard
 * @param at time when a live task of the shard next needs attention, or when a dead task died
 * @param id id of the task, which may no longer exist; empty for the position before all tasks of that time
 */
public record TaskPosition(int shard, Instant at, String id) {

    private static final String SEPARATOR = " ";
    private static final String NARROW = "a";
    private static final String WIDE = "b";
    private static final Instant QUARANTINE = Instant.ofEpochMilli(1_000_000_000_000_000L);

    /** Returns the position before the quarantined tasks of a shard, which follow all other dead tasks. */
    public static TaskPosition quarantine(int shard) {
        return new TaskPosition(shard, QUARANTINE, "");
    }

    /** Returns whether the position is among quarantined tasks. If so, {@code at} includes their offset. */
    // Not a getter, because the JSON of a position must contain only its components.
    public boolean quarantined() {
        return !at.isBefore(QUARANTINE);
    }

    /** Returns the time when the task at this position next needs attention, or died. */
    public Instant moment() {
        return quarantined() ? at.minusMillis(QUARANTINE.toEpochMilli()) : at;
    }

    /**
     * Returns the string with which a caller requests the next tasks. Encodes the id in UTF-8, unless it contains
     * unpaired surrogates, as ids from other software may.
     */
    public String text() {
        String text = shard + SEPARATOR + at.toEpochMilli() + SEPARATOR + id;
        boolean isValid = UnicodeText.isValid(id);
        byte[] bytes = isValid ? text.getBytes(StandardCharsets.UTF_8) : wide(text);
        return (isValid ? NARROW : WIDE)
                + Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    /** Encodes each character in two bytes, because a charset would replace unpaired surrogates. */
    private static byte[] wide(String text) {
        ByteBuffer bytes = ByteBuffer.allocate(2 * text.length());
        bytes.asCharBuffer().put(text);
        return bytes.array();
    }

    /** @throws IllegalArgumentException if {@link #text} did not return this string */
    public static TaskPosition parse(String text) {
        try {
            String[] parts = decoded(text).split(SEPARATOR, 3);
            int shard = Integer.parseInt(parts[0]);
            if (parts.length == 3 && shard >= 0) {
                return new TaskPosition(shard, Instant.ofEpochMilli(Long.parseLong(parts[1])), parts[2]);
            }
        } catch (IllegalArgumentException | DateTimeException ex) {
            // Rejected below.
        }
        throw new IllegalArgumentException(
                "This is not a position in a list of tasks. To continue a list, pass the position of its previous "
                        + "page");
    }

    private static String decoded(String text) {
        byte[] bytes = Base64.getUrlDecoder().decode(text.substring(Math.min(1, text.length())));
        return text.startsWith(NARROW)
                ? new String(bytes, StandardCharsets.UTF_8)
                : ByteBuffer.wrap(bytes).asCharBuffer().toString();
    }
}
