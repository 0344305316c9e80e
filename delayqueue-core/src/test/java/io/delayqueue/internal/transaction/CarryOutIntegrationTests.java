// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.transaction;

import static io.delayqueue.TestRequests.requestTo;
import static org.assertj.core.api.Assertions.assertThat;

import io.delayqueue.CancelOutcome;
import io.delayqueue.Due;
import io.delayqueue.TaskStoreException;
import io.delayqueue.TaskStoreUnavailableException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** The parts in which changes are executed. */
class CarryOutIntegrationTests {

    private static final int TASKS = 100;

    @AutoClose
    private final TransactionalQueues queues =
            new TransactionalQueues(changes -> new CallsAfterCommit(() -> changes, failed -> {}));

    private final TaskChanges changes = queues.plain.changes();

    @Test
    void carryOutWhenEachTaskHasSeveralChangesSendsThoseOfAllTasksTogether() {
        AtomicInteger parts = new AtomicInteger();

        List<ChangeResult> results = changes.carryOut(taskByTask(), () -> parts.incrementAndGet() > 0);

        assertThat(parts).as("schedules, then reschedules, then cancels").hasValue(3);
        assertThat(results).extracting(ChangeResult::error).containsOnlyNulls();
        assertThat(results.stream().map(ChangeResult::change).toList()).hasSize(3 * TASKS);
        assertThat(queues.has("orders", "id-0")).isFalse();
    }

    @Test
    void carryOutWhenTheTimeIsOverDoesNotMakeWhatIsLeft() {
        AtomicInteger parts = new AtomicInteger();
        List<TaskChange<?>> all = taskByTask();

        List<ChangeResult> results = changes.carryOut(all, () -> parts.incrementAndGet() == 1);

        for (int i = 0; i < all.size(); i++) {
            ChangeResult result = results.get(i);
            assertThat(result.change()).isSameAs(all.get(i));
            if (result.change() instanceof TaskChange.Schedule) {
                assertThat(result.error()).isNull();
            } else {
                assertThat(result.error())
                        .isInstanceOfSatisfying(
                                TaskStoreException.class,
                                error -> assertThat(error.mayHaveBeenApplied()).isFalse())
                        .hasMessageContaining("no time left");
            }
        }
        assertThat(queues.has("orders", "id-0")).isTrue();
    }

    @Test
    void carryOutWhenOneServerIsAwayMakesOnlyTheCallsOfOthers() {
        queues.plain.schedule(requestTo("orders", "id-0", "x", Duration.ofHours(1)));
        queues.goAway("mails");
        List<TaskChange<?>> all = List.of(
                changes.schedule(requestTo("mails", "id-0", "x", Duration.ofHours(1))),
                changes.cancel("mails", "id-0"),
                changes.cancel("orders", "id-0"));

        List<ChangeResult> results = changes.carryOut(all);

        assertThat(results.get(0).error()).isInstanceOf(TaskStoreUnavailableException.class);
        assertThat(results.get(1).error()).hasMessageContaining("no call was made");
        assertThat(results.get(2).outcome()).isEqualTo(CancelOutcome.CANCELLED);
        assertThat(queues.calls()).containsOnlyOnce("cancel");
    }

    private List<TaskChange<?>> taskByTask() {
        List<TaskChange<?>> all = new ArrayList<>();
        for (int i = 0; i < TASKS; i++) {
            String id = "id-" + i;
            all.add(changes.schedule(requestTo("orders", id, "x", Duration.ofHours(1))));
            all.add(changes.reschedule("orders", id, new Due(true, 7_200_000)));
            all.add(changes.cancel("orders", id));
        }
        return all;
    }
}
