// SPDX-License-Identifier: Apache-2.0
package io.delayqueue;

import java.time.Duration;
import java.time.Instant;

/** Creates requests in one line, for tests in which only queue, id, payload and due time matter. */
public final class TestRequests {

    private TestRequests() {}

    /** Returns a request for a task with an id of its own. */
    public static ScheduleRequest<Object> requestTo(String queue, Object payload, Duration delay) {
        return ScheduleRequest.to(queue).payload(payload).dueIn(delay).build();
    }

    /** Returns a request for a task with an id of its own. */
    public static ScheduleRequest<Object> requestTo(String queue, Object payload, Instant due) {
        return ScheduleRequest.to(queue).payload(payload).dueAt(due).build();
    }

    /** Returns a request for a task with this id. */
    public static ScheduleRequest<Object> requestTo(String queue, String id, Object payload, Duration delay) {
        return ScheduleRequest.to(queue).id(id).payload(payload).dueIn(delay).build();
    }

    /** Returns a request for a task with this id. */
    public static ScheduleRequest<Object> requestTo(String queue, String id, Object payload, Instant due) {
        return ScheduleRequest.to(queue).id(id).payload(payload).dueAt(due).build();
    }
}
