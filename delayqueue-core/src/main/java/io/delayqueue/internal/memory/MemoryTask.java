// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.memory;

import io.delayqueue.ScheduleOutcome;
import io.delayqueue.TaskState;
import io.delayqueue.delivery.TaskContent;
import io.delayqueue.internal.store.StoredTask;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A task. Guarded by its shard; its moment and whether it is dead are changed by its {@link TaskTable} alone. */
final class MemoryTask {

    /** Of version, outcome, request id, content type and number of headers in Redis. */
    private static final int ENVELOPE = 20;

    private static final int REQUEST_ID = 16;
    private static final Base64.Encoder TEXT = Base64.getUrlEncoder().withoutPadding();

    final String id;
    /** Of the schedule that stored it, which is answered again when its request comes again. */
    final ScheduleOutcome outcome;

    TaskContent content;
    byte[] requestId;
    /** Epoch ms; as scheduled or last rescheduled. */
    long due;
    /** Among those that are due in the same millisecond, from 0. */
    long order;
    /** Epoch ms; when it needs attention next, the end of its lease, or when it died. */
    long moment;
    /** Where that is in its {@link TaskTable}. */
    TaskTable.Place place = TaskTable.Place.before(0);

    boolean dead;
    /** Of its lease; 0 for none. */
    long token;
    /** Epoch ms; when its lease ends. */
    long leaseEnd;
    /** The process that has it. */
    String holder = "";
    /** Whether the lease is that of a delivery of what was there before, for the end of which the task waits. */
    boolean waits;

    @Nullable
    Attempts attempts;

    @Nullable
    Hold hold;

    MemoryTask(String id, byte[] requestId, ScheduleOutcome outcome, TaskContent content, long due) {
        this.id = id;
        this.requestId = requestId;
        this.outcome = outcome;
        this.content = content;
        this.due = due;
    }

    boolean isLeased() {
        return token != 0;
    }

    boolean isLeasedUnder(long other) {
        return isLeased() && token == other;
    }

    boolean isHeld(Now now) {
        return hold != null && hold.deadline() > now.millis();
    }

    boolean isOfRequest(byte[] other) {
        return Arrays.equals(requestId, other);
    }

    /** What is known of them; that there were none where there is no record. */
    Attempts attempts() {
        return attempts == null ? Attempts.NONE : attempts;
    }

    int failures() {
        return attempts().failures();
    }

    int leaseExpiries() {
        return attempts().leaseExpiries();
    }

    /** Whether a delivery may be under way. */
    boolean isInFlight() {
        return isLeased() || isUncertain();
    }

    /** Whether one began whose end is not known. */
    boolean isUncertain() {
        return attempts().uncertain();
    }

    /** What tells its deliveries from those of all other tasks. */
    String taskKey() {
        return TEXT.encodeToString(requestId);
    }

    /** Tells what is delivered from now on from what may have been delivered before, always in the same way. */
    void changeTaskKey() {
        try {
            requestId = Arrays.copyOf(MessageDigest.getInstance("SHA-1").digest(requestId), REQUEST_ID);
        } catch (NoSuchAlgorithmException ex) {
            throw new AssertionError("Every Java has SHA-1", ex);
        }
    }

    /** About as many bytes as Redis would store. */
    int size() {
        int size = ENVELOPE + content.payload().length;
        for (Map.Entry<String, String> header : content.headers().entrySet()) {
            size += length(header.getKey()) + length(header.getValue());
        }
        return size + (content.shardKey() == null ? 0 : length(content.shardKey()));
    }

    private static int length(String text) {
        return text.getBytes(StandardCharsets.UTF_8).length;
    }

    /** As a page tells of it. */
    StoredTask stored(boolean withContent) {
        String reason = attempts().reason();
        return new StoredTask(
                id,
                dead ? TaskState.DEAD : isLeased() ? TaskState.LEASED : TaskState.SCHEDULED,
                Instant.ofEpochMilli(due),
                Instant.ofEpochMilli(moment),
                failures(),
                leaseExpiries(),
                reason.isEmpty() ? null : reason,
                withContent ? taskKey() : "",
                withContent ? content : null);
    }

    /** With all that is told of a single task. */
    StoredTask found() {
        StoredTask task = stored(true);
        return new StoredTask(
                task.id(),
                task.state(),
                task.dueAt(),
                task.nextAttentionAt(),
                task.failures(),
                task.leaseExpiries(),
                task.lastReason(),
                task.taskKey(),
                task.content(),
                isLeased() ? holder : null,
                attempts().trail());
    }
}
