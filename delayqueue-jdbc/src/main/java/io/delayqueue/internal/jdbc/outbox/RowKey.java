// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.jdbc.outbox;

import io.delayqueue.TaskIds;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;

/**
 * The primary key of a row: 32 bytes made of the queue and the id, as an id is too long for the keys of some databases, and
 * as texts are not compared by their bytes everywhere. All tasks of a group share a row, so that their calls keep their order
 * with those that change the group.
 */
public final class RowKey implements Comparable<RowKey> {

    private final byte[] bytes;

    private RowKey(byte[] bytes) {
        this.bytes = bytes;
    }

    /** Returns the key of the row of the task, or the group, of this id. */
    public static RowKey of(String queue, String id) {
        String rowId = rowId(id);
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            digest.update(queue.getBytes(StandardCharsets.UTF_8));
            digest.update((byte) 0);
            return new RowKey(digest.digest(rowId.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException ex) {
            throw new AssertionError("Every Java has SHA-256", ex);
        }
    }

    /** Returns the id of the row: the task's, or the beginning of the ids of its group. */
    static String rowId(String id) {
        return TaskIds.groupPrefixOf(id).orElse(id);
    }

    /** As a row has it; not copied. */
    static RowKey read(byte[] bytes) {
        return new RowKey(bytes);
    }

    /** Not copied, so nobody may write to them. */
    byte[] bytes() {
        return bytes;
    }

    /** By unsigned bytes. Whoever locks several rows does so in this order. */
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
