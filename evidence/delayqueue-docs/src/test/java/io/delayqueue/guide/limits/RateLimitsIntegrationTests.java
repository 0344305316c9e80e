// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.guide.limits;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delayqueue.DelayQueueOperations;
import io.delayqueue.ScheduleRequest;
import io.delayqueue.admin.DelayQueueAdmin;
import io.delayqueue.guide.GuideTest;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;

@GuideTest
class RateLimitsIntegrationTests {

    @Autowired
    private ClinicMessages messages;

    @Autowired
    private ClinicLimits limits;

    @Autowired
    private DelayQueueAdmin admin;

    @Autowired
    private Bookings bookings;

    @Autowired
    private PartnerCalls partnerCalls;

    @Autowired
    private DelayQueueOperations delayQueue;

    @Test
    void messagesWhenAClinicHasManyComeAtItsRateAndHoldUpNoOther() {
        Instant begin = Instant.now();
        for (int i = 0; i < 11; i++) {
            messages.remind("clinic-17", "appointment-" + i, Duration.ZERO);
        }
        messages.remind("clinic-18", "appointment-1", Duration.ZERO);
        messages.remind("clinic-17", "cancelled", Duration.ofMinutes(1));
        messages.cancel("clinic-17", "cancelled");
        assertThat(delayQueue.key("messages", "clinic-17").group("cancelled").count())
                .isZero();

        await().atMost(Duration.ofSeconds(30))
                .until(() -> messages.sent.getOrDefault("clinic-17", List.of()).size() == 11);
        List<Instant> sent = messages.sent.get("clinic-17");
        assertThat(Duration.between(sent.get(0), sent.get(10)))
                .isBetween(Duration.ofMillis(1500), Duration.ofSeconds(15));
        assertThat(messages.sent.get("clinic-18").get(0)).isBetween(begin, sent.get(5));
    }

    @Test
    void messagesWhenAClinicIsSuspendedWaitAndThenComeAtItsNewRate() {
        limits.suspend("clinic-20");
        for (int i = 0; i < 21; i++) {
            messages.remind("clinic-20", "appointment-" + i, Duration.ZERO);
        }
        await().atMost(Duration.ofSeconds(30))
                .until(() -> admin.stats("messages").heldBack() >= 21);
        assertThat(messages.sent).doesNotContainKey("clinic-20");

        limits.upgrade("clinic-20");
        Instant begin = Instant.now();
        limits.resume("clinic-20");
        await().atMost(Duration.ofSeconds(30))
                .until(() -> messages.sent.getOrDefault("clinic-20", List.of()).size() == 21);
        assertThat(Duration.between(begin, messages.sent.get("clinic-20").get(20)))
                .as("faster than the configured five a second")
                .isLessThan(Duration.ofMillis(3500));
        limits.downgrade("clinic-20");
    }

    @Test
    void bookingsWhenOneAtATimeComeInOrderOfTheirDueTimes() {
        bookings.booked.clear();
        Instant due = Instant.now().plusSeconds(4); // when all are booked, on a slow machine too
        List<String> order =
                IntStream.range(0, 20).mapToObj(i -> "b%02d".formatted(i)).toList();
        for (int i = 19; i >= 0; i--) {
            bookings.book("account-1", order.get(i), due.plusMillis(i));
        }

        await().atMost(Duration.ofSeconds(30)).until(() -> bookings.booked.size() == 20);
        assertThat(bookings.booked).extracting(Booking::booking).isEqualTo(order);
    }

    @Test
    void callsWhenThePartnerAnswers429AreMadeAgain() {
        for (int i = 0; i < 3; i++) {
            delayQueue.schedule(ScheduleRequest.to("partner-calls")
                    .key("partner")
                    .payload(new PartnerCall("partner", i))
                    .dueIn(Duration.ZERO)
                    .build());
        }
        await().atMost(Duration.ofSeconds(30)).until(() -> partnerCalls.partner.calls.size() == 6);
    }
}
