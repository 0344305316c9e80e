// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.jdbc.reconcile;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayqueue.DeliveryWindow;
import io.delayqueue.ScheduleRequest;
import io.delayqueue.WorkingDays;
import io.delayqueue.internal.queue.QueueCatalog;
import io.delayqueue.internal.queue.QueueSettings;
import io.delayqueue.internal.queue.TimingSettings;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class DueTimesTests {

    private static final Instant NIGHT = Instant.parse("2026-01-01T22:00:00Z");
    private static final WorkingDays NOT_THE_SECOND = day -> !day.equals(LocalDate.of(2026, 1, 2));

    private final DueTimes dueTimes = new DueTimes(new QueueCatalog(List.of(
            QueueSettings.withDefaults("any-time"),
            QueueSettings.withDefaults("daytime").toBuilder()
                    .timing(TimingSettings.NONE
                            .with(Map.of("germany", NOT_THE_SECOND))
                            .within(DeliveryWindow.parse("09:00-21:00 UTC calendar:germany")))
                    .build())));

    @Test
    void ofWhenThereAreNoHoursIsAsRequested() {
        assertThat(dueTimes.of(at("any-time").build())).isEqualTo(NIGHT);
    }

    @Test
    void ofWhenTheQueueHasHoursIsTheirOpening() {
        assertThat(dueTimes.of(at("daytime").build())).isEqualTo(Instant.parse("2026-01-03T09:00:00Z"));
    }

    @Test
    void ofWhenTheRequestHasHoursOfItsOwnIsTheirOpening() {
        assertThat(dueTimes.of(at("daytime")
                        .within(DeliveryWindow.parse("23:00-23:30 UTC"))
                        .build()))
                .isEqualTo(Instant.parse("2026-01-01T23:00:00Z"));
        assertThat(dueTimes.of(at("daytime").within(DeliveryWindow.ALWAYS).build()))
                .isEqualTo(NIGHT);
    }

    private static ScheduleRequest.Builder<Object> at(String queue) {
        return ScheduleRequest.to(queue).id("a").payload("x").dueAt(NIGHT);
    }
}
