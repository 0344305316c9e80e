// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.delayqueue.DeliveryWindow;
import io.delayqueue.Due;
import io.delayqueue.InvalidTaskException;
import io.delayqueue.LocalDueTime;
import io.delayqueue.ScheduleRequest;
import io.delayqueue.internal.queue.TimingSettings;
import io.delayqueue.internal.store.TimingHeaders;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Where due times outside of the hours are moved to, and until when a task may be delivered. Now is noon. */
class DeliveryHoursTests {

    private static final Instant NOW = Instant.parse("2027-01-13T12:00:00Z");
    private static final DeliveryWindow OFFICE =
            DeliveryWindow.between(LocalTime.of(9, 0), LocalTime.of(18, 0)).inZone(ZoneOffset.UTC);

    private final DeliveryHours hours = new DeliveryHours(InstantSource.fixed(NOW));

    private static ScheduleRequest.Builder<Object> request(String dueAt) {
        return ScheduleRequest.to("reminders")
                .id("a")
                .payload("x")
                .dueAt(Instant.parse(dueAt))
                .within(OFFICE);
    }

    private Instant due(ScheduleRequest<?> request) {
        return Instant.ofEpochMilli(hours.due(request, TimingSettings.NONE).millis());
    }

    private TimingHeaders timing(ScheduleRequest<?> request) {
        return hours.timing(request, hours.due(request, TimingSettings.NONE), TimingSettings.NONE);
    }

    private Duration expiresAfter(ScheduleRequest<?> request, TimingSettings queue) {
        return hours.timing(request, hours.due(request, queue), queue).expiresAfter();
    }

    @Test
    void dueWhenThePreviousOpeningIsAskedForIsItsBeginning() {
        assertThat(due(request("2027-01-15T20:00:00Z").previousOpening().build()))
                .isEqualTo("2027-01-15T09:00:00Z");
        assertThat(due(request("2027-01-15T08:00:00Z").previousOpening().build()))
                .isEqualTo("2027-01-14T09:00:00Z");
        assertThat(due(request("2027-01-15T10:00:00Z").previousOpening().build()))
                .isEqualTo("2027-01-15T10:00:00Z");
    }

    @Test
    void dueWhenThePreviousOpeningHasPassedIsNowOrTheNextOne() {
        DeliveryWindow morning =
                DeliveryWindow.between(LocalTime.of(9, 0), LocalTime.of(11, 0)).inZone(ZoneOffset.UTC);

        assertThat(due(request("2027-01-13T20:00:00Z").previousOpening().build()))
                .isEqualTo(NOW);
        assertThat(due(request("2027-01-13T20:00:00Z")
                        .within(morning)
                        .previousOpening()
                        .build()))
                .isEqualTo("2027-01-14T09:00:00Z");
    }

    @Test
    void dueWhenTheNextOpeningIsAfterTheLatestMomentIsThePreviousOne() {
        assertThat(due(request("2027-01-15T20:00:00Z")
                        .notAfter(Instant.parse("2027-01-16T08:00:00Z"))
                        .build()))
                .isEqualTo("2027-01-15T09:00:00Z");
        assertThat(due(request("2027-01-15T20:00:00Z")
                        .notAfter(Instant.parse("2027-01-16T09:00:00Z"))
                        .build()))
                .isEqualTo("2027-01-15T09:00:00Z");
        assertThat(due(request("2027-01-15T20:00:00Z")
                        .notAfter(Instant.parse("2027-01-16T20:00:00Z"))
                        .build()))
                .isEqualTo("2027-01-16T09:00:00Z");
    }

    @Test
    void dueWhenNoOpeningIsLeftBeforeTheLatestMomentIsRefused() {
        DeliveryWindow morning =
                DeliveryWindow.between(LocalTime.of(9, 0), LocalTime.of(11, 0)).inZone(ZoneOffset.UTC);

        assertThatExceptionOfType(InvalidTaskException.class)
                .isThrownBy(() -> due(request("2027-01-13T20:00:00Z")
                        .within(morning)
                        .notAfter(Instant.parse("2027-01-14T08:00:00Z"))
                        .build()))
                .withMessageContaining("'a'")
                .withMessageContaining("does not open between now and 2027-01-14T08:00:00Z");
    }

    @Test
    void timingWhenTheDueTimeMovedBackHasNoLocalTimeToWaitFor() {
        ScheduleRequest.Builder<Object> request = ScheduleRequest.to("reminders")
                .payload("x")
                .dueAt(LocalDateTime.parse("2027-01-15T20:00"), ZoneOffset.UTC)
                .within(OFFICE);

        assertThat(timing(request.build()))
                .isEqualTo(new TimingHeaders(
                        null,
                        OFFICE,
                        new LocalDueTime(LocalDateTime.parse("2027-01-15T20:00"), ZoneOffset.UTC),
                        Instant.parse("2027-01-16T09:00:00Z")));
        assertThat(timing(
                        request.notAfter(Instant.parse("2027-01-16T08:00:00Z")).build()))
                .isEqualTo(new TimingHeaders(Duration.ofHours(23), OFFICE, null, null));
        assertThat(timing(request.previousOpening().build()))
                .isEqualTo(new TimingHeaders(Duration.ofHours(23), OFFICE, null, null));
    }

    @Test
    void expiresAfterWhenThereIsALatestMomentIsTheTimeUntilThatUnlessAnotherLimitIsShorter() {
        ScheduleRequest.Builder<Object> request =
                request("2027-01-15T20:00:00Z").notAfter(Instant.parse("2027-01-16T08:00:00Z"));
        TimingSettings strict = new TimingSettings(Duration.ofHours(1), TimingSettings.Expired.DEAD, null, Map.of());

        assertThat(expiresAfter(request.build(), TimingSettings.NONE)).isEqualTo(Duration.ofHours(23));
        assertThat(expiresAfter(request.build(), strict)).isEqualTo(Duration.ofHours(1));
        assertThat(expiresAfter(request.expiresAfter(Duration.ofMinutes(5)).build(), strict))
                .isEqualTo(Duration.ofMinutes(5));
        assertThat(expiresAfter(
                        ScheduleRequest.to("reminders")
                                .payload("x")
                                .due(Due.after(Duration.ofHours(1)))
                                .notAfter(NOW.plus(Duration.ofHours(3)))
                                .build(),
                        TimingSettings.NONE))
                .isEqualTo(Duration.ofHours(2));
    }

    @Test
    void expiresAfterWhenTheLatestMomentIsNotAfterTheDueTimeIsRefused() {
        for (Instant latest : List.of(Instant.parse("2027-01-15T10:00:00Z"), Instant.MIN)) {
            ScheduleRequest<?> request =
                    request("2027-01-15T10:00:00Z").notAfter(latest).build();

            assertThatExceptionOfType(InvalidTaskException.class)
                    .isThrownBy(() -> expiresAfter(request, TimingSettings.NONE))
                    .withMessageContaining("Correct notAfter(...)");
        }
    }

    @Test
    void expiresAfterWhenTheLatestMomentIsBeyondAllDueTimesIsThatOfTheRequest() {
        ScheduleRequest.Builder<Object> request =
                request("2027-01-15T10:00:00Z").notAfter(Instant.MAX);

        assertThat(hours.timing(request.build(), Due.now(), TimingSettings.NONE).expiresAfter())
                .isNull();
        assertThat(expiresAfter(request.expiresAfter(Duration.ofHours(1)).build(), TimingSettings.NONE))
                .isEqualTo(Duration.ofHours(1));
    }
}
