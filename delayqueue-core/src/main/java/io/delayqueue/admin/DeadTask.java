// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.admin;

import io.delayqueue.DelayQueueOperations;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/**
 * A task that was given up, as it stood at one moment. To have its payload decoded use
 * {@link DelayQueueOperations#find}.
 *
 * @param queue its queue
 * @param id its id
 * @param dueAt its due time as scheduled or last rescheduled
 * @param diedAt when it was given up
 * @param failures attempts that ended in a failure
 * @param leaseExpiries attempts whose lease ran out, as when the process died
 * @param reason why the last attempt failed
 * @param content what it carries; empty unless the request asked for it, or when the stored bytes cannot be read
 */
public record DeadTask(
        String queue,
        String id,
        Instant dueAt,
        Instant diedAt,
        int failures,
        int leaseExpiries,
        Optional<String> reason,
        Optional<Content> content) {

    /** Names the task and why it is dead, never its payload or headers. */
    @Override
    public String toString() {
        return "DeadTask[queue=" + queue + ", id=" + id + ", dueAt=" + dueAt + ", diedAt=" + diedAt + ", failures="
                + failures + ", leaseExpiries=" + leaseExpiries + ", reason=" + reason.orElse("") + "]";
    }

    /**
     * What a task carries.
     *
     * @param contentType media type of the payload
     * @param headers the headers it was scheduled with
     * @param payload as stored
     */
    public record Content(String contentType, Map<String, String> headers, byte[] payload) {

        /** Sizes only. */
        @Override
        public String toString() {
            return "Content[" + contentType + ", " + headers.size() + " headers, " + payload.length + " bytes]";
        }
    }
}
