// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.store;

import io.delayqueue.FailedAttempt;
import io.delayqueue.internal.redis.RedisBytes;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Parses the last failed attempts from an attempts record. Each attempt is a record separator, a time and a reason. A
 * unit separator and the stack trace of the last failure may follow.
 */
final class AttemptsTrail {

    /** Separates the stack trace of the last failure. */
    static final String TRACE = "\u001f";

    private static final String SEPARATOR = "\u001e";

    private AttemptsTrail() {}

    /** Returns the attempts, newest last. Skips unreadable ones. */
    static List<FailedAttempt> of(String record) {
        List<FailedAttempt> attempts = new ArrayList<>();
        String trail = record.split(TRACE, 2)[0];
        if (trail.isEmpty()) {
            return attempts;
        }
        for (String attempt : trail.substring(1).split(SEPARATOR, StoredTask.MOST_ATTEMPTS + 1)) {
            int space = attempt.indexOf(' ');
            if (attempts.size() < StoredTask.MOST_ATTEMPTS && isMoment(attempt, space)) {
                attempts.add(new FailedAttempt(
                        Instant.ofEpochMilli(Long.parseLong(attempt, 0, space, 10)),
                        Objects.requireNonNullElse(RedisBytes.reason(attempt.substring(space + 1)), "")));
            }
        }
        Collections.reverse(attempts);
        return List.copyOf(attempts);
    }

    /** Returns the stack trace of the last failure; null for none. */
    static @Nullable String trace(String record) {
        int begin = record.indexOf(TRACE);
        return begin < 0 ? null : record.substring(begin + 1);
    }

    private static boolean isMoment(String attempt, int length) {
        return length >= 1 && length <= 16 && attempt.chars().limit(length).allMatch(c -> c >= '0' && c <= '9');
    }
}
