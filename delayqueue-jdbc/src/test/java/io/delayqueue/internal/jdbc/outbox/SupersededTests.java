// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.jdbc.outbox;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayqueue.ConflictPolicy;
import io.delayqueue.Due;
import io.delayqueue.EncodedPayload;
import io.delayqueue.TaskContent;
import io.delayqueue.internal.store.NewTask;
import io.delayqueue.internal.store.TaskUpdate;
import io.delayqueue.internal.transaction.GroupOperation;
import io.delayqueue.internal.transaction.TaskChange;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SupersededTests {

    /** S schedules, C cancels, R reschedules, U updates. */
    @ParameterizedTest
    @CsvSource({
        "S, S",
        "SS, SS",
        "SC, C",
        "SRUC, C",
        "CS, CS",
        "SCS, CS",
        "SR, SR",
        "SRR, SR",
        "SRUR, SUR",
        "UU, U",
        "RURU, RU",
        "RSR, RSR",
        "USU, USU",
        "CC, C"
    })
    void withoutWhenLaterOperationsDecideLeavesOutTheEarlierOnes(String all, String necessary) {
        List<Operation> operations =
                all.chars().mapToObj(kind -> operation((char) kind)).toList();
        List<Operation> left = Superseded.without(operations);
        assertThat(left.stream().map(SupersededTests::kind).collect(Collectors.joining()))
                .isEqualTo(necessary);
        assertThat(operations).containsSubsequence(left);
    }

    @Test
    void withoutWhenSeveralTasksOfAGroupHaveOperationsLooksAtEachAndKeepsWhatComesBeforeAMoveOfTheGroup() {
        Operation reschedule = of(new TaskChange.Reschedule("orders", "{g}~1", new Due(false, 1), 0));
        Operation other = of(new TaskChange.Cancel("orders", "{g}~2", 0));
        Operation later = of(new TaskChange.Reschedule("orders", "{g}~1", new Due(false, 2), 0));
        assertThat(Superseded.without(List.of(reschedule, other, later))).containsExactly(other, later);
        for (GroupOperation move :
                List.of(GroupOperation.due(new Due(false, 3)), GroupOperation.shift(Duration.ofHours(1)))) {
            List<Operation> all = List.of(reschedule, group(move), other, later);
            assertThat(Superseded.without(all)).isEqualTo(all);
        }
    }

    @Test
    void withoutWhenTheGroupIsCancelledLeavesOutWhatComesBeforeUnlessTheCancelResumes() {
        Operation schedule = operation('S', "{g}~1");
        Operation shift = group(GroupOperation.shift(Duration.ofHours(1)));
        Operation cancel = group(GroupOperation.cancel());
        Operation later = operation('S', "{g}~2");
        assertThat(Superseded.without(List.of(schedule, shift, cancel, later))).containsExactly(cancel, later);
        assertThat(Superseded.without(List.of(cancel, schedule, cancel, later))).containsExactly(cancel, later);
        Operation resumed = group(GroupOperation.of(GroupOperation.cancel().resumption(1, "{g}~1")));
        List<Operation> all = List.of(schedule, shift, resumed, later);
        assertThat(Superseded.without(all)).isEqualTo(all);
    }

    private static Operation group(GroupOperation operation) {
        return of(new TaskChange.ChangeGroup("orders", "{g}~", operation, 0));
    }

    @Test
    void withoutWhenAnUpdateSetsHeadersOfTheApplicationKeepsItAndWhatComesBefore() {
        EncodedPayload some = new EncodedPayload("text/plain", new byte[0]);
        Operation payload = update(new TaskUpdate(some, Map.of("dq-type", "")));
        Operation headers = update(new TaskUpdate(null, Map.of("tenant", "red")));
        Operation both = update(new TaskUpdate(some, Map.of("dq-type", "", "tenant", "blue")));
        for (List<Operation> kept :
                List.of(List.of(headers, headers), List.of(both, headers, payload), List.of(headers, payload, both))) {
            assertThat(Superseded.without(kept)).isEqualTo(kept);
        }
        Operation later = update(new TaskUpdate(some, Map.of("dq-type", "b")));
        assertThat(Superseded.without(List.of(payload, both, later))).containsExactly(both, later);
    }

    private static Operation update(TaskUpdate update) {
        return of(new TaskChange.Update("orders", "a", update, 0));
    }

    private static Operation of(TaskChange<?> change) {
        return new Operation(System.nanoTime(), change);
    }

    @Test
    void withoutWhenTwoOfAKindAreThereLeavesTheLater() {
        List<Operation> both = List.of(operation('R'), operation('R'));
        assertThat(Superseded.without(both)).singleElement().isSameAs(both.get(1));
    }

    private static Operation operation(char kind) {
        return operation(kind, "a");
    }

    private static Operation operation(char kind, String id) {
        TaskChange<?> change = switch (kind) {
            case 'S' ->
                new TaskChange.Schedule(
                        "orders",
                        new NewTask(
                                id,
                                new byte[16],
                                new Due(false, 1),
                                ConflictPolicy.REPLACE,
                                new TaskContent("text/plain", Map.of(), new byte[0]),
                                0));
            case 'C' -> new TaskChange.Cancel("orders", id, 0);
            case 'R' -> new TaskChange.Reschedule("orders", id, new Due(false, 1), 0);
            default ->
                new TaskChange.Update(
                        "orders", id, new TaskUpdate(new EncodedPayload("text/plain", new byte[0]), Map.of()), 0);
        };
        return new Operation(System.nanoTime(), change);
    }

    private static String kind(Operation operation) {
        return operation.change().verb().substring(0, 1).toUpperCase(java.util.Locale.ROOT);
    }
}
