// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.autoconfigure.redis.start;

import io.delayqueue.internal.input.PrintableText;
import io.delayqueue.internal.redis.RedisErrors;
import io.lettuce.core.RedisCommandExecutionException;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads the errors with which Redis answers out of the exceptions that wrap them. */
public final class RedisReplies {

    private static final int LONGEST = 200;

    private RedisReplies() {}

    /**
     * Whether the server answered that this user may not run a command, itself or in a script, or that it does not have
     * it.
     */
    public static boolean isForbidden(Throwable error) {
        return find(error, Collections.newSetFromMap(new IdentityHashMap<>()));
    }

    /**
     * Whether the server answered, in whatever words, that it does not run the command; not that it does not for now.
     */
    static boolean isRefused(Throwable error) {
        for (Throwable each = error; each != null; each = each.getCause()) {
            if (each instanceof RedisCommandExecutionException) {
                return !RedisErrors.isTransientReply(String.valueOf(each.getMessage()));
            }
            for (Throwable suppressed : each.getSuppressed()) {
                if (isRefused(suppressed)) {
                    return true;
                }
            }
        }
        return false;
    }

    private static boolean find(@Nullable Throwable error, Set<Throwable> seen) {
        if (error == null || !seen.add(error)) {
            return false;
        }
        String message = String.valueOf(error.getMessage());
        if (RedisErrors.isForbidden(error) || message.contains("NOPERM") || message.contains("ERR unknown command")) {
            return true;
        }
        for (Throwable suppressed : error.getSuppressed()) {
            if (find(suppressed, seen)) {
                return true;
            }
        }
        return find(error.getCause(), seen);
    }

    /** What went wrong at the bottom, fit for a log line. */
    public static String rootMessage(Throwable error) {
        Throwable root = error;
        while (root.getCause() != null && root.getCause() != root) {
            root = root.getCause();
        }
        return PrintableText.of(String.valueOf(root.getMessage()), LONGEST);
    }
}
