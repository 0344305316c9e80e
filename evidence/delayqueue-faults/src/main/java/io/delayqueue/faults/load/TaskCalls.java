// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.load;

import io.delayqueue.ScheduleRequest;
import io.delayqueue.faults.history.Event.Answer;
import java.time.Duration;
import java.util.List;

/** Makes calls, and records each before and after. Never fails: the answer contains the failure of a call. */
interface TaskCalls {

    Answer schedule(ScheduleRequest<?> request, String version);

    Answer cancel(String queue, String id);

    /**
     * Cancels a group.
     *
     * @param ids ids that the caller has scheduled in it
     */
    default void cancelGroup(String queue, String group, List<String> ids) {
        ids.forEach(id -> cancel(queue, id));
    }

    Answer reschedule(String queue, String id, Duration delay);
}
