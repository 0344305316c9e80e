// SPDX-License-Identifier: Apache-2.0
package io.delayqueue;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Generates request ids without a lock, because every request needs one and {@link SecureRandom} serializes its
 * callers.
 *
 * <p>An id consists of 64 random bits, which are drawn once per instance and mixed with the time, and a 64-bit counter
 * with a random start. Ids of different instances, for example in two processes, are equal only if both halves
 * coincide. Processes restored from one image of a running process share the random bits and the counter; the time in
 * nanoseconds distinguishes their ids.
 *
 * <p>Unlike task ids, request ids are predictable. This is harmless, because only clients with write access to the
 * store could use one.
 */
final class RequestIds {

    private static final int BYTES = 2 * Long.BYTES;

    private final long drawn;
    private final AtomicLong count;

    RequestIds() {
        SecureRandom random = new SecureRandom();
        this.drawn = random.nextLong();
        this.count = new AtomicLong(random.nextLong());
    }

    /** Returns 16 new bytes. Thread-safe. */
    byte[] next() {
        return ByteBuffer.allocate(BYTES)
                .putLong(drawn ^ System.nanoTime())
                .putLong(count.getAndIncrement())
                .array();
    }

    /** Returns 16 bytes that depend only on the arguments. */
    static byte[] named(String name, String queue, String id) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            for (String text : new String[] {queue, id, name}) {
                byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
                digest.update(
                        ByteBuffer.allocate(Integer.BYTES).putInt(bytes.length).array());
                digest.update(bytes);
            }
            return Arrays.copyOf(digest.digest(), BYTES);
        } catch (NoSuchAlgorithmException ex) {
            throw new AssertionError("Every JVM has SHA-256", ex);
        }
    }
}
