// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.redis;

import io.delayqueue.internal.input.PrintableText;
import org.jspecify.annotations.Nullable;

/** The process that has a lease, as a lease record names it: behind an at sign. */
final class Holder {

    private static final int LONGEST = 100;

    private Holder() {}

    /** Its name, whoever wrote the record; null for none. */
    static @Nullable String of(Object bytes) {
        String text = RedisBytes.string(bytes);
        return text.length() < 2 ? null : PrintableText.of(text.substring(1), LONGEST);
    }
}
