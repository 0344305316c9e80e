// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.jdbc.outbox;

import io.delayqueue.TaskIds;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;

/**
 * The primary key of a row: a 32-byte hash of the queue and the id. An id may be too long for a key, and not every
 * database compares text by its bytes. All tasks of a group share a row, so that their calls and calls that change the
 * group keep their order.
 */
public final class RowKey implements Comparable<RowKey> {

    private final byte[] bytes;

    private RowKey(byte[] bytes) {
        this.bytes = bytes;
    }

    /** Returns the key of the row for this task or group. */
    public static RowKey of(String queue, String id) {
        String rowId = rowId(id);
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            digest.update(queue.getBytes(StandardCharsets.UTF_8));
            digest.update((byte) 0);
            return new RowKey(digest.digest(rowId.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException ex) {
            throw new AssertionError("Every JVM has SHA-256", ex);
        }
    }

    /** Returns the id of the row: that of the task, or the id prefix of its group. */
    static String rowId(String id) {
        return TaskIds.groupPrefixOf(id).orElse(id);
    }

    /** Returns the key in this column, without copying it. */
    static RowKey read(byte[] bytes) {
        return new RowKey(bytes);
    }

    /** Returns the key without copying it; do not modify. */
    byte[] bytes() {
        return bytes;
    }

    /** Compares the bytes as unsigned numbers. Lock several rows only in this order. */
    @Override
    public int compareTo(RowKey other) {
        return Arrays.compareUnsigned(bytes, other.bytes);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof RowKey key && Arrays.equals(bytes, key.bytes);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(bytes);
    }

    @Override
    public String toString() {
        return HexFormat.of().formatHex(bytes);
    }
}
