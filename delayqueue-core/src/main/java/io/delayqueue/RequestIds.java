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
 * Makes the ids that tell requests apart, without a lock: every request needs one, and a {@link SecureRandom} lets one
 * thread in at a time.
 *
 * <p>An id is 64 bits drawn once, mixed with the time, and a count. Two of one instance differ in the count, which
 * comes round after 2^64 ids. Two of different instances, such as those of two processes, are the same only if the
 * first halves agree by chance while one counts where the other has counted too, and each count begins at a random
 * value. Processes that are restored from one image of a running process share what was drawn and the count; it is the
 * time, in nanoseconds, that tells them apart.
 *
 * <p>Unlike the ids of tasks they can be foreseen, which matters to nobody: whoever may write into the store needs no
 * id for it.
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

    /** 16 bytes of the caller's own. Any thread may ask. */
    byte[] next() {
        return ByteBuffer.allocate(BYTES)
                .putLong(drawn ^ System.nanoTime())
                .putLong(count.getAndIncrement())
                .array();
    }

    /** 16 bytes that are the same for the same texts. */
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
            throw new AssertionError("Every Java has SHA-256", ex);
        }
    }
}
