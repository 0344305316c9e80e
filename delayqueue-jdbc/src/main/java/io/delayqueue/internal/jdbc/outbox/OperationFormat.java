// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.jdbc.outbox;

import io.delayqueue.ConflictPolicy;
import io.delayqueue.Due;
import io.delayqueue.EncodedPayload;
import io.delayqueue.TaskContent;
import io.delayqueue.TaskIds;
import io.delayqueue.internal.store.NewTask;
import io.delayqueue.internal.store.TaskUpdate;
import io.delayqueue.internal.transaction.GroupOperation;
import io.delayqueue.internal.transaction.TaskChange;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The stored form of operations, version 1. Operations are concatenated, each in this format:
 * <pre> int       how many bytes follow byte      version, 1 byte      S schedule, C cancel, R reschedule, U update, G
 * change of a group long      number of the operation string    id of the task, or the beginning of the ids of the
 * group byte      replicas S: 16 bytes request id; long due; byte policy R, K, E, L, D or T; string content type; int
 * number of headers, then for each its name and its value as strings; payload, to the end R: long due U: string content
 * type, empty to keep the payload; headers and payload as in S G: string, the operation as a string </pre>
 *
 * <p>Due times are in milliseconds since 1970. A string is its UTF-8 length in bytes as an int, then the bytes. Numbers
 * are big-endian. The queue is a column of the row.
 */
public final class OperationFormat {

    private static final byte VERSION = 1;
    private static final int REQUEST_ID = 16;
    private static final String POLICIES = "RKELDT";

    private OperationFormat() {}

    /** @param nowMillis the start of relative delays */
    public static byte[] encode(List<Operation> operations, long nowMillis) {
        if (operations.size() == 1) {
            return encode(operations.get(0), nowMillis);
        }
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(128 * operations.size());
        operations.forEach(operation -> bytes.writeBytes(encode(operation, nowMillis)));
        return bytes.toByteArray();
    }

    /** @param nowMillis the start of relative delays */
    public static byte[] encode(Operation operation, long nowMillis) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(128);
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            out.writeInt(0);
            out.writeByte(VERSION);
            TaskChange<?> change = operation.change();
            out.writeByte(kind(change));
            out.writeLong(operation.number());
            writeText(out, change.id());
            out.writeByte(change.replicas());
            if (change instanceof TaskChange.Schedule schedule) {
                write(out, schedule.task(), nowMillis);
            } else if (change instanceof TaskChange.Reschedule reschedule) {
                out.writeLong(dueMillis(reschedule.due(), nowMillis));
            } else if (change instanceof TaskChange.Update update) {
                EncodedPayload payload = update.update().payload();
                writeText(out, payload == null ? "" : payload.contentType());
                write(out, update.update().headers());
                out.write(payload == null ? new byte[0] : payload.bytes());
            } else if (change instanceof TaskChange.ChangeGroup group) {
                writeText(
                        out,
                        group.operation()
                                .at(nowMillis)
                                .resumption(0, group.operation().from()));
            }
        } catch (IOException ex) {
            throw new UncheckedIOException(ex); // ByteArrayOutputStream never throws
        }
        byte[] encoded = bytes.toByteArray();
        ByteBuffer.wrap(encoded).putInt(encoded.length - Integer.BYTES);
        return encoded;
    }

    private static char kind(TaskChange<?> change) {
        if (change instanceof TaskChange.Schedule) {
            return 'S';
        }
        if (change instanceof TaskChange.Cancel) {
            return 'C';
        }
        if (change instanceof TaskChange.ChangeGroup) {
            return 'G';
        }
        return (change instanceof TaskChange.Reschedule) ? 'R' : 'U';
    }

    private static void write(DataOutputStream out, NewTask task, long nowMillis) throws IOException {
        out.write(task.requestId(), 0, REQUEST_ID);
        out.writeLong(dueMillis(task.due(), nowMillis));
        out.writeByte(POLICIES.charAt(task.conflictPolicy().ordinal()));
        writeText(out, task.content().contentType());
        write(out, task.content().headers());
        out.write(task.content().payload());
    }

    private static void write(DataOutputStream out, Map<String, String> headers) throws IOException {
        out.writeInt(headers.size());
        for (Map.Entry<String, String> header : headers.entrySet()) {
            writeText(out, header.getKey());
            writeText(out, header.getValue());
        }
    }

    /** Returns the due time, limited to the latest possible moment. */
    private static long dueMillis(Due due, long nowMillis) {
        return due.relative() ? Math.min(Due.MAX_EPOCH_MILLIS, nowMillis + due.millis()) : due.millis();
    }

    private static void writeText(DataOutputStream out, String text) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        out.writeInt(bytes.length);
        out.write(bytes);
    }

    /**
     * Reads all operations of a row.
     *
     * @param rowId id of the row, for messages
     * @throws UnreadableOperationsException if an operation cannot be read
     */
    public static List<Operation> decode(String queue, String rowId, byte[] bytes) {
        ByteBuffer in = ByteBuffer.wrap(bytes);
        List<Operation> operations = new ArrayList<>(1);
        try {
            while (in.hasRemaining()) {
                int length = in.getInt();
                ByteBuffer one = in.slice(in.position(), length);
                in.position(in.position() + length);
                operations.add(operation(queue, rowId, one));
            }
        } catch (UnreadableOperationsException ex) {
            throw ex;
        } catch (RuntimeException ex) {
            // Catch all failures, because a row must not block other rows.
            throw unreadable(queue, rowId, "are damaged", false);
        }
        return operations;
    }

    /** Returns the first operations of a row. */
    static byte[] first(byte[] bytes, int count) {
        ByteBuffer in = ByteBuffer.wrap(bytes);
        for (int i = 0; i < count; i++) {
            int length = in.getInt();
            in.position(in.position() + length);
        }
        return Arrays.copyOf(bytes, in.position());
    }

    private static Operation operation(String queue, String rowId, ByteBuffer in) {
        byte version = in.get();
        if (version != VERSION) {
            throw unreadable(queue, rowId, "have the unknown version " + version, version > VERSION);
        }
        char kind = (char) in.get();
        long number = in.getLong();
        String id = text(in);
        int replicas = in.get();
        TaskChange<?> change = switch (kind) {
            case 'S' -> new TaskChange.Schedule(queue, task(id, replicas, in));
            case 'C' -> new TaskChange.Cancel(queue, id, replicas);
            case 'R' -> new TaskChange.Reschedule(queue, id, new Due(false, in.getLong()), replicas);
            case 'U' -> new TaskChange.Update(queue, id, update(in), replicas);
            case 'G' ->
                new TaskChange.ChangeGroup(
                        queue, TaskIds.groupPrefixOf(id).orElseThrow(), GroupOperation.of(text(in)), replicas);
            default -> throw unreadable(queue, rowId, "have the unknown kind", false);
        };
        return new Operation(number, change);
    }

    private static NewTask task(String id, int replicas, ByteBuffer in) {
        byte[] requestId = new byte[REQUEST_ID];
        in.get(requestId);
        Due due = new Due(false, in.getLong());
        ConflictPolicy policy = ConflictPolicy.values()[POLICIES.indexOf(in.get())];
        TaskContent content = new TaskContent(text(in), headers(in), rest(in));
        return new NewTask(id, requestId, due, policy, content, replicas);
    }

    private static TaskUpdate update(ByteBuffer in) {
        String contentType = text(in);
        Map<String, String> headers = headers(in);
        return new TaskUpdate(contentType.isEmpty() ? null : new EncodedPayload(contentType, rest(in)), headers);
    }

    private static Map<String, String> headers(ByteBuffer in) {
        int count = in.getInt();
        Map<String, String> headers = new LinkedHashMap<>();
        for (int i = 0; i < count; i++) {
            headers.put(text(in), text(in));
        }
        return headers;
    }

    private static String text(ByteBuffer in) {
        byte[] bytes = new byte[Math.min(in.getInt(), in.remaining() + 1)];
        in.get(bytes);
        return new String(bytes, StandardCharsets.UTF_8);
    }

    private static byte[] rest(ByteBuffer in) {
        byte[] bytes = new byte[in.remaining()];
        in.get(bytes);
        return bytes;
    }

    private static UnreadableOperationsException unreadable(String queue, String id, String what, boolean newer) {
        return new UnreadableOperationsException(
                "Queue '" + queue + "', task '" + id + "': the operations in the outbox " + what, newer);
    }
}
