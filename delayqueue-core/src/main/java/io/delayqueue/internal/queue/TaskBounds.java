// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.queue;

import io.delayqueue.InvalidTaskException;
import io.delayqueue.TaskIds;
import io.delayqueue.internal.input.PrintableText;
import io.delayqueue.internal.input.UnicodeText;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/**
 * Limits of a task, checked before anything is sent.
 *
 * @param maxPayloadBytes maximum size of the encoded payload
 * @param maxIdLength maximum length of an id with its key and group, in UTF-8 bytes
 * @param maxHeaderBytes maximum total size of header names and values in UTF-8
 */
public record TaskBounds(int maxPayloadBytes, int maxIdLength, int maxHeaderBytes) {

    /** Limits of 256 KiB for a payload, 256 bytes for an id and 8 KiB for headers. */
    public static final TaskBounds DEFAULT = new TaskBounds(256 * 1024, 256, 8 * 1024);

    public static final String RESERVED_HEADER_PREFIX = "dq-";

    /**
     * Returns the id if it is valid; otherwise throws {@link InvalidTaskException}. A valid id is not blank and has no
     * control characters, line separators or direction overrides. Ids that look alike but have different bytes are
     * different.
     */
    public String checkId(String queue, String id) {
        TaskIds.keyOf(id).ifPresent(key -> checkText(queue, "key", key));
        TaskIds.groupOf(id).ifPresent(group -> checkText(queue, "group", group));
        return checkText(queue, "task id", id);
    }

    /** Returns the name of a key or a group if it is valid; otherwise throws {@link InvalidTaskException}. */
    public String checkPart(String queue, String what, String name) {
        return checkText(queue, what, name);
    }

    private String checkText(String queue, String what, String text) {
        if (text.isBlank()) {
            throw new InvalidTaskException("Queue '" + queue + "': the " + what + " '" + PrintableText.of(text, 60)
                    + "' is " + (text.isEmpty() ? "empty" : "blank") + ". Pass a value, or none at all");
        }
        if (text.length() > maxIdLength || bytes(text) > maxIdLength) {
            throw new InvalidTaskException(
                    "Queue '" + queue + "': the " + what + " '" + PrintableText.of(text, 60) + "' has " + bytes(text)
                            + " bytes in UTF-8; " + maxIdLength + " are allowed (delayqueue.max-id-length)");
        }
        if (!UnicodeText.isLine(text)) {
            throw new InvalidTaskException(
                    "Queue '" + queue + "': the " + what + " '" + PrintableText.of(text, 60)
                            + "' has a control character, a line separator, a direction override or a lone surrogate. Remove it");
        }
        return text;
    }

    private static int bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8).length;
    }

    /** Returns the payload if it is small enough; otherwise throws {@link InvalidTaskException}. */
    public byte[] checkPayload(String queue, String id, byte[] payload) {
        if (payload.length > maxPayloadBytes) {
            throw new InvalidTaskException("Queue '" + queue + "', task '" + id + "': the encoded payload has "
                    + payload.length + " bytes; " + maxPayloadBytes
                    + " are allowed (delayqueue.max-payload-size). Store the data elsewhere and schedule a"
                    + " reference to it");
        }
        return payload;
    }

    /** Returns the headers if they are valid; otherwise throws {@link InvalidTaskException}. */
    public Map<String, String> checkHeaders(String queue, String id, Map<String, String> headers) {
        int bytes = 0;
        for (Map.Entry<String, String> header : headers.entrySet()) {
            String name = header.getKey();
            if (name.isEmpty() || name.length() > 128 || !name.chars().allMatch(c -> c > 0x20 && c < 0x7f)) {
                throw new InvalidTaskException("Queue '" + queue + "', task '" + id + "': the header name '"
                        + PrintableText.of(name, 60)
                        + "' must be 1 to 128 printable ASCII characters without spaces");
            }
            if (name.regionMatches(true, 0, RESERVED_HEADER_PREFIX, 0, RESERVED_HEADER_PREFIX.length())) {
                throw new InvalidTaskException("Queue '" + queue + "', task '" + id
                        + "': header names that start with '" + RESERVED_HEADER_PREFIX + "' are reserved; rename '"
                        + PrintableText.of(name, 60)
                        + "'");
            }
            if (!UnicodeText.isValid(header.getValue())) {
                throw new InvalidTaskException("Queue '" + queue + "', task '" + id + "': the value of header '" + name
                        + "' is not valid Unicode (unpaired surrogate)");
            }
            bytes += name.length() + bytes(header.getValue());
        }
        if (bytes > maxHeaderBytes) {
            throw new InvalidTaskException("Queue '" + queue + "', task '" + id + "': the headers have " + bytes
                    + " bytes; " + maxHeaderBytes + " are allowed (delayqueue.max-header-size)");
        }
        return headers;
    }
}
