// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.store;

import static io.delayqueue.internal.redis.RedisBytes.instant;
import static io.delayqueue.internal.redis.RedisBytes.number;
import static io.delayqueue.internal.redis.RedisBytes.string;

import io.delayqueue.FailedAttempt;
import io.delayqueue.TaskState;
import io.delayqueue.internal.redis.RedisBytes;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Parses tasks from the replies of scripts. */
final class StoredTasks {

    private static final int FIELDS = 9;

    private StoredTasks() {}

    static StoredTask found(List<?> reply) {
        Object trail = reply.get(FIELDS);
        return task(reply, AttemptsTrail.of(trail), AttemptsTrail.trace(trail));
    }

    static List<StoredTask> page(List<?> flat) {
        List<StoredTask> tasks = new ArrayList<>(flat.size() / FIELDS);
        for (int i = 0; i < flat.size(); i += FIELDS) {
            tasks.add(task(flat.subList(i, i + FIELDS), List.of(), null));
        }
        return tasks;
    }

    private static StoredTask task(List<?> fields, List<FailedAttempt> failedAttempts, @Nullable String stackTrace) {
        byte[] envelope = (byte[]) fields.get(7);
        return new StoredTask(
                RedisBytes.id(fields.get(0)),
                state(string(fields.get(1))),
                instant(fields.get(2)),
                instant(fields.get(3)),
                (int) number(fields.get(4)),
                (int) number(fields.get(5)),
                RedisBytes.reason(fields.get(6)),
                EnvelopeFormat.taskKey(envelope),
                EnvelopeFormat.decode(envelope),
                Holder.of(fields.get(8)),
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
