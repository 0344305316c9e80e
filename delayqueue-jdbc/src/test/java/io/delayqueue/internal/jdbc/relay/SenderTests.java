// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.jdbc.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayqueue.ConflictPolicy;
import io.delayqueue.DelayQueueException;
import io.delayqueue.Due;
import io.delayqueue.TaskContent;
import io.delayqueue.TaskStoreFullException;
import io.delayqueue.TaskStoreUnavailableException;
import io.delayqueue.UnknownQueueException;
import io.delayqueue.internal.concurrent.Scheduler;
import io.delayqueue.internal.jdbc.outbox.Callers;
import io.delayqueue.internal.jdbc.outbox.Operation;
import io.delayqueue.internal.jdbc.outbox.OperationFormat;
import io.delayqueue.internal.jdbc.outbox.OutboxRow;
import io.delayqueue.internal.jdbc.outbox.RowKey;
import io.delayqueue.internal.store.NewTask;
import io.delayqueue.internal.store.TaskUpdate;
import io.delayqueue.internal.transaction.ChangeResult;
import io.delayqueue.internal.transaction.GroupOperation;
import io.delayqueue.internal.transaction.TaskChange;
import io.delayqueue.internal.transaction.TaskChanges;
import java.io.ByteArrayOutputStream;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SenderTests {

    private static final GroupOperation GROUP_CANCEL = GroupOperation.cancel();
    private static final GroupOperation GROUP_DUE = GroupOperation.due(new Due(false, 1));
    private static final GroupOperation GROUP_SHIFT = GroupOperation.shift(Duration.ofHours(1));

    private final RetryGate gate = new RetryGate("Redis", Duration.ofSeconds(1));

    private Sender sender(Supplier<TaskChanges> changes) {
        return new Sender(changes, new Callers(Duration.ofSeconds(1), new Scheduler()), List.of(), gate);
    }

    @Test
    void rowsWhenSomethingUnforeseenFailsAreToBeSentAgain() {
        assertThat(send("C")).singleElement().satisfies(sent -> {
            assertThat(sent.isDone()).isFalse();
            assertThat(sent.isUncertain()).isTrue();
            assertThat(sent.rejected()).isEmpty();
        });
    }

    /**
     * S schedules, C cancels, R reschedules, U updates, r reschedules another task of the group, G cancels the group, H
     * shifts it. A schedule or a shift must not be sent together with an earlier change that would change the same task
     * if both were sent again.
     */
    @ParameterizedTest
    @CsvSource({
        "S, S",
        "SR, SR",
        "SRU, SRU",
        "SS, SS",
        "CS, CS",
        "RS, R",
        "US, U",
        "RURS, RUR",
        "SRSR, SR",
        "RSC, RSC",
        "rS, rS",
        "rRS, rR",
        "GS, G",
        "SG, SG",
        "H, H",
        "HR, HR",
        "HS, H",
        "RH, R",
        "CSH, CS",
        "SSH, SS",
        "HH, H"
    })
    void rowsWhenAScheduleFollowsAnotherChangeOfItsTaskAreSentInParts(String all, String first) {
        assertThat(send(all)).singleElement().satisfies(sent -> {
            assertThat(sent.row().operations()).isEqualTo(operations(first));
            assertThat(sent.taken().isPart()).isEqualTo(!all.equals(first));
        });
    }

    @Test
    void operationsWhenTheyWaitForAnotherPartAreNotSent() {
        List<TaskChange<?>> made = new ArrayList<>();
        Sender recording = sender(() -> recording(made, change -> null));

        assertThat(recording.send(List.of(row("RUS")), afterASecond()))
                .singleElement()
                .satisfies(sent -> assertThat(sent.isDone()).isTrue());

        assertThat(made).hasExactlyElementsOfTypes(TaskChange.Reschedule.class, TaskChange.Update.class);
    }

    /** Tables may be shared: an operation of another application's queue never reaches Redis. */
    @ParameterizedTest
    @ValueSource(strings = {"Rr", "R"})
    void gateWhenNoOperationReachesRedisStaysClosed(String kinds) {
        gate.failed(new TaskStoreUnavailableException("down", false, null));
        Sender sender = sender(() -> recording(
                new ArrayList<>(),
                change -> change.id().equals("{g}~b")
                        ? new TaskStoreUnavailableException("down", false, null)
                        : new UnknownQueueException("another application's")));

        sender.send(List.of(row(kinds)), afterASecond());

        assertThat(gate.isFailing()).isTrue();
    }

    /** Each id is on a server of its own. */
    @Test
    void gateWhenOneOfTwoServersFailsStaysOpenUntilBothFail() {
        Set<String> away = new HashSet<>();
        Sender sender = sender(() -> recording(
                new ArrayList<>(),
                change -> away.contains(change.id()) ? new TaskStoreUnavailableException("down", false, null) : null));
        sender.send(List.of(row("R")), afterASecond());
        away.add("{g}~b");
        sender.send(List.of(row("r")), afterASecond());
        assertThat(gate.isFailing()).isFalse();

        away.add("{g}~a");
        sender.send(List.of(row("rR")), afterASecond());

        assertThat(gate.isFailing()).isTrue();
    }

    /** As above; g moves the group to a time. A dash stands for an operation that is not left. */
    @ParameterizedTest
    @CsvSource({
        "Rr, r, -r",
        "rR, r, r-",
        "RU, R, RU",
        "RU, U, -U",
        "UrRU, r, -r--",
        "rgR, r, rgR",
        "Rgr, g, -gr",
        "rCS, r, r--"
    })
    void operationsWhenOneFailsAreLeftOnlyIfTheyMustFollowIt(String all, char failing, String left) {
        TaskChange<?> full = change(failing);
        Sender sender = sender(() -> recording(
                new ArrayList<>(),
                change -> change.id().equals(full.id()) && change.verb().equals(full.verb())
                        ? new TaskStoreFullException("full", false, null)
                        : null));

        assertThat(sender.send(List.of(row(all)), afterASecond()))
                .singleElement()
                .satisfies(sent -> {
                    assertThat(sent.left()).isEqualTo(operations(left));
                    assertThat(sent.isUnchanged()).isEqualTo(all.equals(left));
                    assertThat(sent.isUncertain()).isFalse();
                });
    }

    /** The server of a change has the name of its id. */
    private static TaskChanges recording(
            List<TaskChange<?>> made, Function<TaskChange<?>, @Nullable DelayQueueException> errors) {
        return (TaskChanges) Proxy.newProxyInstance(
                SenderTests.class.getClassLoader(), new Class<?>[] {TaskChanges.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("serverOf")) {
                        return ((TaskChange<?>) arguments[0]).id();
                    }
                    List<ChangeResult> results = new ArrayList<>();
                    for (Object each : (List<?>) arguments[0]) {
                        TaskChange<?> change = (TaskChange<?>) each;
                        made.add(change);
                        results.add(new ChangeResult(change, null, errors.apply(change)));
                    }
                    return results;
                });
    }

    private List<SentRow> send(String kinds) {
        Sender failing = sender(() -> {
            throw new IllegalStateException("not foreseen");
        });
        return failing.send(List.of(row(kinds)), afterASecond());
    }

    private static TakenRow row(String kinds) {
        OutboxRow row = new OutboxRow(RowKey.of("orders", "{g}~a"), "orders", "{g}~", 1, operations(kinds), 0, 0, 1000);
        return new TakenRow(row, 1001, 0);
    }

    private static long afterASecond() {
        return System.nanoTime() + 1_000_000_000L;
    }

    private static byte[] operations(String kinds) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        for (int i = 0; i < kinds.length(); i++) {
            if (kinds.charAt(i) == '-') {
                continue;
            }
            bytes.writeBytes(OperationFormat.encode(new Operation(i, change(kinds.charAt(i))), 0));
        }
        return bytes.toByteArray();
    }

    private static TaskChange<?> change(char kind) {
        TaskContent content = new TaskContent("text/plain", Map.of(), new byte[0]);
        return switch (kind) {
            case 'S' ->
                new TaskChange.Schedule(
                        "orders", new NewTask("{g}~a", new byte[16], Due.now(), ConflictPolicy.REPLACE, content, 0));
            case 'C' -> new TaskChange.Cancel("orders", "{g}~a", 0);
            case 'R' -> new TaskChange.Reschedule("orders", "{g}~a", Due.now(), 0);
            case 'r' -> new TaskChange.Reschedule("orders", "{g}~b", Due.now(), 0);
            case 'U' -> new TaskChange.Update("orders", "{g}~a", new TaskUpdate(null, Map.of("tenant", "red")), 0);
            case 'g' -> new TaskChange.ChangeGroup("orders", "{g}~", GROUP_DUE, 0);
            case 'H' -> new TaskChange.ChangeGroup("orders", "{g}~", GROUP_SHIFT, 0);
            default -> new TaskChange.ChangeGroup("orders", "{g}~", GROUP_CANCEL, 0);
        };
    }
}
