// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.load;

import io.delayqueue.ScheduleRequest;
import io.delayqueue.faults.history.Event.Answer;
import java.time.Duration;
import java.util.List;

/** Makes calls, and writes down each before and after. Fails never: how a call went is its answer. */
interface TaskCalls {

    Answer schedule(ScheduleRequest<?> request, String version);

    Answer cancel(String queue, String id);

    /**
     * Cancels a group.
     *
     * @param ids that the caller has scheduled in it
     */
    default void cancelGroup(String queue, String group, List<String> ids) {
        ids.forEach(id -> cancel(queue, id));
    }

    Answer reschedule(String queue, String id, Duration delay);
}
