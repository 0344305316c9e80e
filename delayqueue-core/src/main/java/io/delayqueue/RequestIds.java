// SPDX-License-Identifier: Apache-2.0
package io.delayqueue;

import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Makes the ids that tell requests apart, without a lock: every request needs one, and a {@link SecureRandom} lets one thread in
 * at a time.
 *
 * <p>An id is 64 bits drawn once, and then a count. Two of one instance differ in the count, which comes round after 2^64 ids.
 * Two of different instances, as of two processes, are the same only if both drew the same 64 bits and one counts where the
 * other has counted too: each count begins at a random value, so even a common draw would have to meet a common stretch of
 * 2^64. Unlike the ids of tasks they can be foreseen, which matters to nobody: who may write into the store needs no id for it.
 *
 * <p>Processes that are restored from one image of a running process go on with the same bits and the same count. Should two
 * of them schedule a task under one id of the application's own, the later may be taken for a repetition of the earlier.
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
                .putLong(drawn)
                .putLong(count.getAndIncrement())
                .array();
    }
}
