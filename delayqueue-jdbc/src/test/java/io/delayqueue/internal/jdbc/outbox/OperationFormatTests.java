// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.jdbc.outbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.delayqueue.ConflictPolicy;
import io.delayqueue.Due;
import io.delayqueue.EncodedPayload;
import io.delayqueue.TaskContent;
import io.delayqueue.internal.store.NewTask;
import io.delayqueue.internal.store.TaskUpdate;
import io.delayqueue.internal.transaction.GroupOperation;
import io.delayqueue.internal.transaction.TaskChange;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class OperationFormatTests {

    private static final long NOW = 1_700_000_000_000L;

    private static final byte[] REQUEST_ID = HexFormat.of().parseHex("000102030405060708090a0b0c0d0e0f");

    private static final TaskChange<?> SCHEDULE = new TaskChange.Schedule(
            "orders",
            new NewTask(
                    "a",
                    REQUEST_ID,
                    new Due(false, NOW),
                    ConflictPolicy.KEEP_LATER,
                    new TaskContent("text/plain", Map.of("tenant", "blå"), new byte[] {1, 2}),
                    3));

    private static final TaskChange<?> CANCEL = new TaskChange.Cancel("orders", "a", 0);

    private static final TaskChange<?> RESCHEDULE =
            new TaskChange.Reschedule("orders", "a", new Due(false, NOW + 1), 1);

    private static final TaskChange<?> UPDATE = new TaskChange.Update(
            "orders",
            "a",
            new TaskUpdate(new EncodedPayload("text/plain", new byte[] {7}), Map.of("dq-type", "type")),
            2);

    private static final TaskChange<?> HEADERS =
            new TaskChange.Update("orders", "a", new TaskUpdate(null, Map.of("tenant", "")), 0);

    private static final String GROUP_TEXT = "DUE " + (NOW + 5) + " 0123456789abcdef0123456789abcdef 2 {g}~x";

    private static final TaskChange<?> GROUP =
            new TaskChange.ChangeGroup("orders", "{g}~", GroupOperation.of(GROUP_TEXT), 1);

    @Test
    void encodeWhenAGroupIsChangedWritesTheOperationWithAMoment() {
        TaskChange<?> relative = new TaskChange.ChangeGroup(
                "orders", "{g}~", GroupOperation.of(GROUP_TEXT.replace("DUE " + (NOW + 5), "DUE +5")), 1);
        assertThat(hex(relative)).isEqualTo(hex(GROUP));
        assertThat(hex(GROUP))
                .endsWith("01" + "47" + "0000000000000005" + "000000047b677d7e" + "01" + "0000003a"
                        + HexFormat.of().formatHex(GROUP_TEXT.getBytes(StandardCharsets.UTF_8)));
    }

    /** Stored operations must stay readable for ever. */
    @Test
    void encodeWhenAVersionIsReleasedWritesItsBytes() {
        assertThat(hex(SCHEDULE))
                .isEqualTo("0000004f" + "01" + "53" + "0000000000000005" + "0000000161" + "03"
                        + "000102030405060708090a0b0c0d0e0f" + "0000018bcfe56800" + "4c"
                        + "0000000a746578742f706c61696e"
                        + "00000001" + "0000000674656e616e74" + "00000004626cc3a5"
                        + "0102");
        assertThat(hex(CANCEL)).isEqualTo("00000010" + "01" + "43" + "0000000000000005" + "0000000161" + "00");
        assertThat(hex(RESCHEDULE))
                .isEqualTo("00000018" + "01" + "52" + "0000000000000005" + "0000000161" + "01" + "0000018bcfe56801");
        assertThat(hex(UPDATE))
                .isEqualTo("00000036" + "01" + "55" + "0000000000000005" + "0000000161" + "02"
                        + "0000000a746578742f706c61696e"
                        + "00000001" + "0000000764712d74797065" + "0000000474797065"
                        + "07");
    }

    @Test
    void encodeWhenAVersionIsReleasedWritesThePolicies() {
        for (ConflictPolicy policy : ConflictPolicy.values()) {
            NewTask task = new NewTask(
                    "a",
                    REQUEST_ID,
                    new Due(false, NOW),
                    policy,
                    new TaskContent("text/plain", Map.of("dq-debounce", "+00000000060000"), new byte[0]),
                    0);
            byte[] bytes = OperationFormat.encode(new Operation(5, new TaskChange.Schedule("orders", task)), NOW);

            assertThat((char) bytes[44]).isEqualTo("RKELDT".charAt(policy.ordinal()));
            assertThat(OperationFormat.decode("orders", "a", bytes))
                    .extracting(operation -> ((TaskChange.Schedule) operation.change()).task())
                    .allSatisfy(read -> {
                        assertThat(read.conflictPolicy()).isEqualTo(policy);
                        assertThat(read.content().headers())
                                .isEqualTo(task.content().headers());
                    });
        }
    }

    private static String hex(TaskChange<?> change) {
        return HexFormat.of().formatHex(OperationFormat.encode(new Operation(5, change), NOW));
    }

    @Test
    void decodeWhenSeveralWereWrittenAnswersThemInTheirOrder() {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        List<TaskChange<?>> changes = List.of(SCHEDULE, CANCEL, RESCHEDULE, UPDATE, HEADERS, GROUP);
        changes.forEach(change -> all.writeBytes(OperationFormat.encode(new Operation(5, change), NOW)));

        List<Operation> read = OperationFormat.decode("orders", "a", all.toByteArray());

        assertThat(read).extracting(Operation::number).containsOnly(5L);
        assertThat(read.stream().map(Operation::change))
                .usingRecursiveFieldByFieldElementComparator()
                .isEqualTo(changes);
    }

    @Test
    void encodeWhenTheDueTimeIsADelayCountsItFromNow() {
        TaskChange<?> change = new TaskChange.Reschedule("orders", "a", new Due(true, 1), 1);
        assertThat(OperationFormat.encode(new Operation(5, change), NOW))
                .isEqualTo(OperationFormat.encode(new Operation(5, RESCHEDULE), 0));
        TaskChange<?> farthest = new TaskChange.Reschedule("orders", "a", new Due(true, Due.MAX_EPOCH_MILLIS), 1);
        assertThat(OperationFormat.decode("orders", "a", OperationFormat.encode(new Operation(5, farthest), NOW)))
                .extracting(operation ->
                        ((TaskChange.Reschedule) operation.change()).due().millis())
                .containsExactly(Due.MAX_EPOCH_MILLIS);
    }

    @Test
    void decodeWhenBytesAreMissingIsRefused() {
        byte[] bytes = OperationFormat.encode(new Operation(5, SCHEDULE), NOW);
        for (int length = 1; length < bytes.length; length++) {
            byte[] cut = Arrays.copyOf(bytes, length);
            assertThatExceptionOfType(UnreadableOperationsException.class)
                    .isThrownBy(() -> OperationFormat.decode("orders", "a", cut))
                    .matches(ex -> !ex.isNewer());
        }
    }

    @Test
    void decodeWhenANewerVersionWroteThemSaysSo() {
        byte[] bytes = OperationFormat.encode(new Operation(5, CANCEL), NOW);
        bytes[4] = 2;
        assertThatExceptionOfType(UnreadableOperationsException.class)
                .isThrownBy(() -> OperationFormat.decode("orders", "a", bytes))
                .matches(UnreadableOperationsException::isNewer);
    }
}
