// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.rabbit.intake;

import com.rabbitmq.client.LongString;
import io.delayqueue.ConflictPolicy;
import io.delayqueue.DelayQueueException;
import io.delayqueue.EncodedPayload;
import io.delayqueue.ScheduleRequest;
import io.delayqueue.TaskIds;
import io.delayqueue.internal.transaction.TaskChange;
import io.delayqueue.internal.transaction.TaskChanges;
import io.delayqueue.rabbit.RabbitAddress;
import io.delayqueue.rabbit.RabbitHeaders;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Base64;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Converts received messages to changes of tasks. */
record IntakeMapper(IntakeSettings settings, TaskChanges changes) {

    private static final String UNKNOWN_CONTENT = "application/octet-stream";
    private static final int FINGERPRINT_BYTES = 16;

    /** Returns the change that a message requests, or the reason why it is refused. */
    IntakeTask map(Received message) {
        try {
            return mapped(message);
        } catch (DelayQueueException | IllegalArgumentException ex) {
            return IntakeTask.refused(message, String.valueOf(ex.getMessage()));
        } catch (RuntimeException ex) {
            return IntakeTask.refused(
                    message, "it could not be read: " + ex.getClass().getName());
        }
    }

    private IntakeTask mapped(Received message) {
        RabbitAddress to =
                new RabbitAddress(settings.exchange(), message.envelope().getRoutingKey());
        StoredMessage stored = StoredMessage.received(to, message.properties(), settings.taskHeaders());
        Map<String, Object> headers = stored.properties().getHeaders() == null
                ? Map.of()
                : stored.properties().getHeaders();
        String id = text(headers, RabbitHeaders.DELAY_ID);
        String key = text(headers, RabbitHeaders.DELAY_KEY);
        String group = text(headers, RabbitHeaders.DELAY_GROUP);
        if (isTrue(headers, RabbitHeaders.DELAY_CANCEL)) {
            if (id == null) {
                throw new RefusedMessageException(
                        "it has " + RabbitHeaders.DELAY_CANCEL + " but no " + RabbitHeaders.DELAY_ID);
            }
            String whole = TaskIds.of(key, group, id);
            return IntakeTask.named(message, changes.cancel(settings.delayQueue(), whole));
        }
        ScheduleRequest.Builder<EncodedPayload> request = ScheduleRequest.to(
                        settings.delayQueue(), new EncodedPayload(contentType(stored), message.body()))
                .headers(stored.headers())
                .due(MessageDelay.of(headers));
        if (key != null) {
            request.key(key);
        }
        if (group != null) {
            request.group(group);
        }
        if (id != null) {
            return IntakeTask.named(message, schedule(request.id(id)));
        }
        TaskChange.Schedule anew = null;
        if (message.properties().getMessageId() != null) {
            if (!message.envelope().isRedeliver()) {
                anew = schedule(request);
            }
            request.id(fingerprint(stored, message.body())).onConflict(ConflictPolicy.KEEP);
        }
        return IntakeTask.unnamed(message, schedule(request), anew);
    }

    private TaskChange.Schedule schedule(ScheduleRequest.Builder<EncodedPayload> request) {
        return changes.schedule(request.build());
    }

    /**
     * Returns the content type of the task. The message keeps its own content type, even if it is invalid for a task.
     */
    private static String contentType(StoredMessage message) {
        String type = message.properties().getContentType();
        boolean fits = type != null
                && !type.isBlank()
                && type.length() <= 255
                && type.chars().allMatch(c -> c >= 0x20 && c < 0x7f);
        return fits ? type : UNKNOWN_CONTENT;
    }

    private static @Nullable String text(Map<String, Object> headers, String name) {
        Object value = headers.get(name);
        if (value == null) {
            return null;
        }
        if (value instanceof String
                || value instanceof LongString
                || value instanceof Integer
                || value instanceof Long) {
            return value.toString();
        }
        throw new RefusedMessageException("its header " + name + " must be a string, but is a "
                + value.getClass().getSimpleName());
    }

    private static boolean isTrue(Map<String, Object> headers, String name) {
        Object value = headers.get(name);
        if (value == null) {
            return false;
        }
        if (value instanceof Boolean flag) {
            return flag;
        }
        String text = value.toString();
        if (text.equals("true") || text.equals("false")) {
            return text.equals("true");
        }
        throw new RefusedMessageException("its header " + name + " must be true or false");
    }

    /** Returns an id that depends on the content and the properties of the message. */
    private static String fingerprint(StoredMessage message, byte[] body) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            for (byte[] part : new byte[][] {
                message.to().exchange().getBytes(StandardCharsets.UTF_8),
                message.to().routingKey().getBytes(StandardCharsets.UTF_8),
                message.encoded(),
                body
            }) {
                digest.update(
                        ByteBuffer.allocate(Integer.BYTES).putInt(part.length).array());
                digest.update(part);
            }
            return Base64.getUrlEncoder()
                    .withoutPadding()
                    .encodeToString(Arrays.copyOf(digest.digest(), FINGERPRINT_BYTES));
        } catch (NoSuchAlgorithmException ex) {
            throw new AssertionError("Every Java has SHA-256", ex);
        }
    }
}
