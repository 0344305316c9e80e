// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.console.page;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayqueue.TaskState;
import io.delayqueue.internal.console.html.Moments;
import io.delayqueue.internal.control.QueueView;
import io.delayqueue.internal.control.TaskDetails;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class TaskStoryTests {

    private static final Instant NOW = Instant.parse("2027-03-28T09:30:00Z");

    private static String story(@Nullable Instant heldBackSince) {
        TaskDetails task = new TaskDetails(
                "messages",
                "reminder",
                TaskState.SCHEDULED,
                NOW.minusSeconds(60),
                NOW.plusSeconds(5),
                heldBackSince,
                0,
                0,
                null,
                Map.of(),
                new TaskDetails.Payload("application/json", 2, "{}", null),
                null,
                "clinic-17",
                null,
                List.of(),
                null,
                null);
        QueueView queue = new QueueView("messages", 0, 3, 0, 0, 0, null, false, null, 1, null, Set.of());
        return String.valueOf(
                new TaskStory(new Moments(NOW), "").of(task, queue, "5/s").get("before"));
    }

    @Test
    void scheduledWhenTheKeyIsOverItsLimitSaysSo() {
        assertThat(story(NOW.minusSeconds(60)))
                .isEqualTo("Waits for its turn: key clinic-17, 5/s. The key's next task starts about ");
    }

    @Test
    void scheduledWhenAnAttemptPutItOffBlamesNoLimit() {
        assertThat(story(null)).startsWith("First delivery");
    }
}
