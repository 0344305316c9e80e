// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.admin;

import io.delayqueue.DelayQueueOperations;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/**
 * The state of a dead task at one moment. To decode its payload, use {@link DelayQueueOperations#find}.
 *
 * @param queue its queue
 * @param id its id
 * @param dueAt its due time as scheduled or last rescheduled
 * @param diedAt when it died
 * @param failures number of failed attempts
 * @param leaseExpiries number of attempts whose lease expired, for example because the process died
 * @param reason why the last attempt failed
 * @param content its contents; empty unless requested, or if the stored bytes cannot be read
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

    /** Shows the task and why it is dead, never its payload or headers. */
    @Override
    public String toString() {
        return "DeadTask[queue=" + queue + ", id=" + id + ", dueAt=" + dueAt + ", diedAt=" + diedAt + ", failures="
                + failures + ", leaseExpiries=" + leaseExpiries + ", reason=" + reason.orElse("") + "]";
    }

    /**
     * The contents of a task.
     *
     * @param contentType media type of the payload
     * @param headers the headers it was scheduled with
     * @param payload the payload as stored
     */
    public record Content(String contentType, Map<String, String> headers, byte[] payload) {

        /** Shows only sizes. */
        @Override
        public String toString() {
            return "Content[" + contentType + ", " + headers.size() + " headers, " + payload.length + " bytes]";
        }
    }
}
