// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.memory;

import io.delayqueue.DueTime;
import io.delayqueue.internal.store.LeaseRef;
import io.delayqueue.internal.store.Settlement;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What the holder of leases does with them. */
record LeaseOperations(MemoryShard shard, Now now) {

    List<Boolean> settle(List<Settlement> settlements) {
        Long head = shard.tasks.earliest();
        return settlements.stream().map(settlement -> settle(settlement, head)).toList();
    }

    private boolean settle(Settlement settlement, @Nullable Long head) {
        MemoryTask task = leased(settlement.id(), settlement.token());
        if (task == null) {
            return false;
        }
        if (settlement.verb() == Settlement.Verb.ACK) {
            shard.tasks.remove(task);
            return true;
        }
        boolean uncertain = settlement.uncertain() || (task.attempts != null && task.attempts.uncertain());
        task.attempts = new Attempts(
                task.failures() + (settlement.countsAsFailure() ? 1 : 0),
                task.leaseExpiries(),
                uncertain,
                settlement.reason());
        task.token = 0;
        if (settlement.verb() == Settlement.Verb.DEAD) {
            shard.tasks.move(task, true, now.millis());
        } else {
            long delay = settlement.delay().plusNanos(999_999).toMillis();
            long again = Math.min(now.after(delay), DueTime.MAX_EPOCH_MILLIS);
            shard.tasks.move(task, false, again);
            shard.wakeIfEarlier(again, head);
        }
        return true;
    }

    List<Boolean> release(List<LeaseRef> leases) {
        Long head = shard.tasks.earliest();
        return leases.stream().map(lease -> release(lease, head)).toList();
    }

    private boolean release(LeaseRef lease, @Nullable Long head) {
        MemoryTask task = leased(lease.id(), lease.token());
        if (task == null) {
            return false;
        }
        task.token = 0;
        shard.tasks.move(task, false, task.due);
        shard.wakeIfEarlier(task.due, head);
        return true;
    }

    List<Boolean> renew(List<LeaseRef> leases, Duration lease) {
        long deadline =
                Math.min(now.millis() + Math.min(lease.toMillis(), DueTime.MAX_EPOCH_MILLIS), DueTime.MAX_EPOCH_MILLIS);
        return leases.stream().map(ref -> renew(ref, deadline)).toList();
    }

    private boolean renew(LeaseRef ref, long deadline) {
        MemoryTask task = leased(ref.id(), ref.token());
        if (task == null) {
            return false;
        }
        if (deadline > task.moment) {
            shard.tasks.move(task, false, deadline);
        }
        return true;
    }

    private @Nullable MemoryTask leased(String id, long token) {
        MemoryTask task = shard.tasks.get(id);
        return task != null && task.isLeasedUnder(token) ? task : null;
    }
}
