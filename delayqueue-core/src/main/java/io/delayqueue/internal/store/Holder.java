// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.store;

import io.delayqueue.internal.input.PrintableText;
import io.delayqueue.internal.input.ProcessName;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/** The name in a lease record of the store that holds the lease: {@code @process/suffix}, with a random suffix. */
final class Holder {

    private static final int LONGEST = 100;
    private static final long SUFFIXES = 36L * 36 * 36 * 36 * 36 * 36;

    private Holder() {}

    /**
     * Returns the name of a new store. The suffix distinguishes several stores in a process, and a restarted container
     * with the same process id.
     */
    static String newName() {
        return ProcessName.OWN + "/" + Long.toString(ThreadLocalRandom.current().nextLong(SUFFIXES), 36);
    }

    /** Returns the name of the process in a lease record; {@code null} if it names none. */
    static @Nullable String of(String text) {
        int end = text.indexOf('/');
        String process = text.substring(Math.min(1, text.length()), end > 0 ? end : text.length());
        return process.isEmpty() ? null : PrintableText.of(process, LONGEST);
    }
}
