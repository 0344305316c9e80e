// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.guide.payloads;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delayqueue.DelayQueueOperations;
import io.delayqueue.FoundTask;
import io.delayqueue.ScheduleRequest;
import io.delayqueue.TaskState;
import io.delayqueue.annotation.PayloadVersion;
import io.delayqueue.guide.GuideTest;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;

/** The statements of the page about payloads. */
@GuideTest
class PayloadsIntegrationTests {

    @Autowired
    private DelayQueueOperations delayQueue;

    @Autowired
    private Renewals renewals;

    @PayloadVersion(2)
    record Renewal2(String recipient, String name) {}

    @PayloadVersion(4)
    record Renewal4(String customer) {}

    private void schedule(String id, Object payload) {
        delayQueue.schedule(ScheduleRequest.to("renewals")
                .id(id)
                .payload(payload)
                .dueIn(Duration.ZERO)
                .build());
    }

    private FoundTask<?> found(String id) {
        return delayQueue.find("renewals", id, Map.class).orElseThrow();
    }

    @Test
    void taskWhenAnOlderVersionStoredItPassesTheUpgrades() {
        schedule("r-1", Map.of("email", "ada@example.com", "name", "Ada Lovelace"));
        schedule("r-2", new Renewal2("bob@example.com", "Bob"));

        await().until(() -> renewals.sent.contains(new RenewalNotice("ada@example.com", "Ada", "Lovelace", null))
                && renewals.sent.contains(new RenewalNotice("bob@example.com", "Bob", "", null)));
    }

    @Test
    void taskWhenANewerVersionStoredItWaits() {
        schedule("r-4", new Renewal4("c-1"));

        await().until(() -> found("r-4").lastReason().isPresent());
        assertThat(found("r-4").state()).isEqualTo(TaskState.SCHEDULED);
        assertThat(found("r-4").failures()).isZero();
    }

    @Test
    void taskWhenItLacksWhatIsRequiredIsDeadWithTheReason() {
        schedule("r-5", Map.of("name", "Nobody"));

        await().until(() -> found("r-5").state() == TaskState.DEAD);
        assertThat(found("r-5").lastReason().orElseThrow()).contains("property 'recipient'");
    }
}
