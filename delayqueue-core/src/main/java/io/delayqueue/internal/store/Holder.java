// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.store;

import io.delayqueue.internal.input.PrintableText;
import io.delayqueue.internal.input.ProcessName;
import io.delayqueue.internal.redis.RedisBytes;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/** The store that holds a lease, as named in a lease record: an at sign, its process, a slash and a random suffix. */
final class Holder {

    private static final int LONGEST = 100;
    /** The number of suffixes of six characters. */
    private static final long SUFFIXES = 36L * 36 * 36 * 36 * 36 * 36;

    private Holder() {}

    /**
     * Returns the name of a new store. A process may have several, and a restarted container has the same process id.
     */
    static String newName() {
        return ProcessName.OWN + "/" + Long.toString(ThreadLocalRandom.current().nextLong(SUFFIXES), 36);
    }

    /** Returns the name of the process in a record; {@code null} for none. */
    static @Nullable String of(Object bytes) {
        String text = RedisBytes.string(bytes);
        int end = text.indexOf('/');
        String process = text.substring(Math.min(1, text.length()), end > 0 ? end : text.length());
        return process.isEmpty() ? null : PrintableText.of(process, LONGEST);
    }
}
