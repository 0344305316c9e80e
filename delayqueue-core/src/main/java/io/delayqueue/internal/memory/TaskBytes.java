// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.memory;

import io.delayqueue.FailedAttempt;
import io.delayqueue.ScheduleOutcome;
import io.delayqueue.delivery.TaskContent;
import io.delayqueue.internal.store.MigrationHold;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Tasks on their way from one shard to another. Their bytes mean something to a store in memory alone. */
final class TaskBytes {

    private static final byte[] NOTHING = new byte[0];
    private static final int REQUEST_ID = 16;
    private static final String SEPARATOR = "\u001e";

    private TaskBytes() {}

    static MigrationHold.Item item(MemoryTask task) {
        return new MigrationHold.Item(
                task.id, task.dead, task.moment, task.place.order(), envelope(task), attempts(task.attempts));
    }

    /** @throws IllegalArgumentException if another kind of store gave the bytes */
    static MemoryTask task(MigrationHold.Item item) {
        try {
            DataInputStream in = new DataInputStream(new ByteArrayInputStream(item.envelope()));
            long due = in.readLong();
            ScheduleOutcome outcome = ScheduleOutcome.valueOf(in.readUTF());
            byte[] requestId = in.readNBytes(REQUEST_ID);
            String contentType = text(in);
            String shardKey = in.readBoolean() ? text(in) : null;
            Map<String, String> headers = new LinkedHashMap<>();
            for (int left = in.readInt(); left > 0; left--) {
                headers.put(text(in), text(in));
            }
            TaskContent content = new TaskContent(contentType, headers, in.readAllBytes(), shardKey);
            MemoryTask task = new MemoryTask(item.id(), requestId, outcome, content, due);
            task.attempts = attempts(item.attempts());
            task.order = item.place();
            return task;
        } catch (IOException ex) {
            throw new IllegalArgumentException("Task '" + item.id() + "' does not come from a store in memory", ex);
        }
    }

    private static byte[] envelope(MemoryTask task) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try {
            DataOutputStream out = new DataOutputStream(bytes);
            out.writeLong(task.due);
            out.writeUTF(task.outcome.name());
            out.write(task.requestId, 0, REQUEST_ID);
            text(out, task.content.contentType());
            out.writeBoolean(task.content.shardKey() != null);
            if (task.content.shardKey() != null) {
                text(out, task.content.shardKey());
            }
            out.writeInt(task.content.headers().size());
            for (Map.Entry<String, String> header : task.content.headers().entrySet()) {
                text(out, header.getKey());
                text(out, header.getValue());
            }
            out.write(task.content.payload());
        } catch (IOException ex) {
            throw new UncheckedIOException(ex);
        }
        return bytes.toByteArray();
    }

    private static byte[] attempts(@Nullable Attempts attempts) {
        if (attempts == null) {
            return NOTHING;
        }
        StringBuilder text = new StringBuilder(attempts.failures() + ":" + attempts.leaseExpiries() + ":"
                + attempts.uncertain() + ":" + attempts.reason());
        attempts.trail()
                .forEach(attempt -> text.append(SEPARATOR)
                        .append(attempt.at().toEpochMilli())
                        .append(' ')
                        .append(attempt.reason()));
        return text.toString().getBytes(StandardCharsets.UTF_8);
    }

    private static @Nullable Attempts attempts(byte[] bytes) {
        if (bytes.length == 0) {
            return null;
        }
        String[] whole = new String(bytes, StandardCharsets.UTF_8).split(SEPARATOR);
        String[] parts = whole[0].split(":", 4);
        return new Attempts(
                Integer.parseInt(parts[0]),
                Integer.parseInt(parts[1]),
                Boolean.parseBoolean(parts[2]),
                parts[3],
                Arrays.stream(whole).skip(1).map(TaskBytes::attempt).toList());
    }

    private static FailedAttempt attempt(String text) {
        int space = text.indexOf(' ');
        return new FailedAttempt(Instant.ofEpochMilli(Long.parseLong(text, 0, space, 10)), text.substring(space + 1));
    }

    private static void text(DataOutputStream out, String text) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        out.writeInt(bytes.length);
        out.write(bytes);
    }

    private static String text(DataInputStream in) throws IOException {
        return new String(in.readNBytes(in.readInt()), StandardCharsets.UTF_8);
    }
}
