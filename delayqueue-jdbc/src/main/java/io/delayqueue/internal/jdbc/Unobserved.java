// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.jdbc;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Marks the library's own statements, such as those of an idle relay, so that an instrumented {@code DataSource} does
 * not start a trace for each of them.
 */
public final class Unobserved {

    private static final ThreadLocal<Boolean> CURRENT = ThreadLocal.withInitial(() -> false);

    private Unobserved() {}

    /** Returns whether this thread is running the library's own statements. */
    public static boolean isCurrent() {
        return CURRENT.get();
    }

    /** Runs the library's own statements without observations. */
    public static <T extends @Nullable Object> T call(Supplier<T> statements) {
        boolean before = CURRENT.get();
        CURRENT.set(true);
        try {
            return statements.get();
        } finally {
            if (before) {
                CURRENT.set(true);
            } else {
                CURRENT.remove();
            }
        }
    }
}
