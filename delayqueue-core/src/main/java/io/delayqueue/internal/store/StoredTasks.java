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

    private static final int PAGE_FIELDS = 9;

    private StoredTasks() {}

    static StoredTask found(String id, List<?> reply) {
        Object trail = reply.get(7);
        return task(id, reply, AttemptsTrail.of(trail), AttemptsTrail.trace(trail), Holder.of(reply.get(8)));
    }

    static List<StoredTask> page(List<?> flat) {
        List<StoredTask> tasks = new ArrayList<>(flat.size() / PAGE_FIELDS);
        for (int i = 0; i < flat.size(); i += PAGE_FIELDS) {
            List<?> fields = flat.subList(i + 1, i + PAGE_FIELDS);
            tasks.add(task(RedisBytes.id(flat.get(i)), fields, List.of(), null, Holder.of(fields.get(7))));
        }
        return tasks;
    }

    private static StoredTask task(
            String id,
            List<?> fields,
            List<FailedAttempt> failedAttempts,
            @Nullable String stackTrace,
            @Nullable String holder) {
        byte[] envelope = (byte[]) fields.get(6);
        return new StoredTask(
                id,
                state(string(fields.get(0))),
                instant(fields.get(1)),
                instant(fields.get(2)),
                (int) number(fields.get(3)),
                (int) number(fields.get(4)),
                RedisBytes.reason(fields.get(5)),
                EnvelopeFormat.taskKey(envelope),
                EnvelopeFormat.decode(envelope),
                holder,
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
