// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.store;

import io.delayqueue.FailedAttempt;
import io.delayqueue.TaskState;
import io.delayqueue.internal.redis.RedisBytes;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Parses tasks from the replies of scripts. */
final class StoredTasks {

    private static final int FIELDS = 9;

    private StoredTasks() {}

    static StoredTask found(Reply reply) {
        String trail = reply.text(FIELDS);
        boolean heldBack = !reply.text(FIELDS + 1).equals(reply.text(3));
        return task(
                reply,
                heldBack ? reply.instant(FIELDS + 1) : null,
                AttemptsTrail.of(trail),
                AttemptsTrail.trace(trail));
    }

    static List<StoredTask> page(Reply reply) {
        return reply.rows(FIELDS).map(row -> task(row, null, List.of(), null)).toList();
    }

    private static StoredTask task(
            Reply row,
            @Nullable Instant heldBackSince,
            List<FailedAttempt> failedAttempts,
            @Nullable String stackTrace) {
        byte[] envelope = row.bytes(7);
        return new StoredTask(
                row.id(0),
                state(row.text(1)),
                row.instant(2),
                row.instant(3),
                heldBackSince,
                row.count(4),
                row.count(5),
                RedisBytes.reason(row.text(6)),
                EnvelopeFormat.taskKey(envelope),
                EnvelopeFormat.decode(envelope),
                Holder.of(row.text(8)),
                failedAttempts,
                stackTrace);
    }

    private static TaskState state(String letter) {
        return switch (letter) {
            case "L" -> TaskState.LEASED;
            case "D" -> TaskState.DEAD;
            default -> TaskState.SCHEDULED;
        };
    }
}
