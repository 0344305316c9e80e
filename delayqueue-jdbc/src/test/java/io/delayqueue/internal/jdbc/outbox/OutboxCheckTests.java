// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.jdbc.outbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import io.delayqueue.ConflictPolicy;
import io.delayqueue.Due;
import io.delayqueue.TaskContent;
import io.delayqueue.delivery.Delivery;
import io.delayqueue.internal.store.NewTask;
import io.delayqueue.internal.transaction.GroupOperation;
import io.delayqueue.internal.transaction.TaskChange;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class OutboxCheckTests {

    private static final Instant DUE = Instant.ofEpochSecond(1_000);
    private static final byte[] ITS_OWN = new byte[16];
    private static final byte[] ANOTHER = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};

    private final Delivery delivery = mock(Delivery.class);

    @BeforeEach
    void deliver() {
        when(delivery.id()).thenReturn("a");
        when(delivery.dueAt()).thenReturn(DUE);
        when(delivery.taskKey())
                .thenReturn(Base64.getUrlEncoder().withoutPadding().encodeToString(ITS_OWN));
    }

    @Test
    void deliveryWhenADueTimeHasCommittedIsHeldBackIfThatIsLater() {
        assertThat(isHeldBack(reschedule(DUE.plusMillis(1)))).isTrue();
        assertThat(isHeldBack(reschedule(DUE))).isFalse();
        assertThat(isHeldBack(reschedule(DUE.minusMillis(1)))).isFalse();
    }

    @Test
    void deliveryWhenATaskOfItsIdHasCommittedIsHeldBackIfThatReplacesIt() {
        assertThat(isHeldBack(schedule(ANOTHER, ConflictPolicy.REPLACE, DUE))).isTrue();
        assertThat(isHeldBack(schedule(ANOTHER, ConflictPolicy.KEEP, DUE.plusMillis(1))))
                .isFalse();
        assertThat(isHeldBack(schedule(ANOTHER, ConflictPolicy.KEEP_EARLIER, DUE.minusMillis(1))))
                .isTrue();
        assertThat(isHeldBack(schedule(ANOTHER, ConflictPolicy.KEEP_EARLIER, DUE)))
                .isFalse();
        assertThat(isHeldBack(schedule(ANOTHER, ConflictPolicy.KEEP_LATER, DUE.plusMillis(1))))
                .isTrue();
        assertThat(isHeldBack(schedule(ANOTHER, ConflictPolicy.KEEP_LATER, DUE)))
                .isFalse();
        assertThat(isHeldBack(schedule(ANOTHER, ConflictPolicy.DEBOUNCE, DUE))).isTrue();
        assertThat(isHeldBack(schedule(ANOTHER, ConflictPolicy.THROTTLE, DUE))).isFalse();
    }

    /** It was sent, and the row is there still. */
    @Test
    void deliveryWhenOnlyItsOwnTaskHasCommittedBegins() {
        assertThat(isHeldBack(schedule(ITS_OWN, ConflictPolicy.REPLACE, DUE))).isFalse();
        assertThat(isHeldBack(cancel(), schedule(ITS_OWN, ConflictPolicy.REPLACE, DUE)))
                .isFalse();
        assertThat(isHeldBack(schedule(ITS_OWN, ConflictPolicy.REPLACE, DUE), cancel()))
                .isTrue();
    }

    @Test
    void deliveryWhenAChangeOfItsGroupHasCommittedIsHeldBackIfThatTakesItAway() {
        assertThat(isHeldBack(group(GroupOperation.cancel()))).isTrue();
        assertThat(isHeldBack(group(GroupOperation.due(Due.at(DUE.plusMillis(1))))))
                .isTrue();
        assertThat(isHeldBack(group(GroupOperation.due(Due.at(DUE))))).isFalse();
        assertThat(isHeldBack(group(GroupOperation.shift(Duration.ofSeconds(1)))))
                .isTrue();
        assertThat(isHeldBack(group(GroupOperation.shift(Duration.ofSeconds(-1)))))
                .isFalse();
        assertThat(isHeldBack(group(GroupOperation.cancel()), schedule(ITS_OWN, ConflictPolicy.REPLACE, DUE)))
                .isFalse();
        assertThat(isHeldBack(new TaskChange.Cancel("orders", "another-of-the-row", 0)))
                .isFalse();
    }

    private static TaskChange<?> group(GroupOperation operation) {
        return new TaskChange.ChangeGroup("orders", "{g}~", operation, 0);
    }

    private boolean isHeldBack(TaskChange<?>... changes) {
        List<Operation> operations =
                Arrays.stream(changes).map(change -> new Operation(1, change)).toList();
        return OutboxCheck.isHeldBack(delivery, operations);
    }

    private static TaskChange<?> cancel() {
        return new TaskChange.Cancel("orders", "a", 0);
    }

    private static TaskChange<?> reschedule(Instant due) {
        return new TaskChange.Reschedule("orders", "a", Due.at(due), 0);
    }

    private static TaskChange<?> schedule(byte[] requestId, ConflictPolicy policy, Instant due) {
        return new TaskChange.Schedule(
                "orders",
                new NewTask(
                        "a", requestId, Due.at(due), policy, new TaskContent("text/plain", Map.of(), new byte[0]), 0));
    }
}
