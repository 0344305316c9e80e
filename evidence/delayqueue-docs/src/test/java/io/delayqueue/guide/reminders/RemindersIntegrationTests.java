// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.guide.reminders;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delayqueue.DelayQueueOperations;
import io.delayqueue.Due;
import io.delayqueue.ScheduleOutcome;
import io.delayqueue.guide.GuideTest;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneId;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;

@GuideTest
class RemindersIntegrationTests {

    @Autowired
    private ReadingReminders reminders;

    @Autowired
    private WeeklyDigest digest;

    @Autowired
    private DelayQueueOperations delayQueue;

    @Test
    void reminderWhenReadAgainComesOnceAndForTheLastArticle() {
        reminders.hasRead("ada", "first");
        reminders.hasRead("ada", "second");
        assertThat(dueAt("ada")).isAfter(Instant.now().plus(Duration.ofMinutes(119)));
        delayQueue.reschedule("reminders", "ada", Due.now());
        await().until(() -> reminders.sent.contains(new GoOnReading("ada", "second")));
        assertThat(reminders.sent).doesNotContain(new GoOnReading("ada", "first"));
    }

    @Test
    void reminderWhenFinishedIsGone() {
        reminders.hasRead("bob", "last");
        reminders.hasFinished("bob");
        assertThat(delayQueue.find("reminders", "bob")).isEmpty();
    }

    @Test
    void reminderWhenDebouncedIsReplacedAndWhenThrottledIsKept() {
        assertThat(reminders.hasReadButNotForEver("eve", "one").outcome()).isEqualTo(ScheduleOutcome.CREATED);
        assertThat(reminders.hasReadButNotForEver("eve", "two").outcome()).isEqualTo(ScheduleOutcome.REPLACED);
        assertThat(reminders.remindOfTheFirst("mallory", "one").outcome()).isEqualTo(ScheduleOutcome.CREATED);
        assertThat(reminders.remindOfTheFirst("mallory", "two").outcome()).isEqualTo(ScheduleOutcome.KEPT);
        assertThat(delayQueue
                        .find("reminders", "mallory", GoOnReading.class)
                        .orElseThrow()
                        .payload()
                        .article())
                .isEqualTo("one");
    }

    @Test
    void reminderWhenItHasHoursIsDueWithinThem() {
        ZoneId zone = ZoneId.of("Europe/Berlin");
        Instant dueAt = reminders.hasReadAndSleepsAtNight("trent", "any", zone).dueAt();
        assertThat(LocalTime.ofInstant(dueAt, zone)).isBetween(LocalTime.of(9, 0), LocalTime.of(21, 0));
    }

    @Test
    void digestWhenSentIsDueInAWeekAgain() {
        digest.subscribe("weekly");
        delayQueue.reschedule("digests", "weekly", Due.now());
        await().until(() -> delayQueue
                .find("digests", "weekly")
                .filter(task -> digest.rounds.get() > 0
                        && task.dueAt().isAfter(Instant.now().plus(Duration.ofDays(6))))
                .isPresent());
        digest.unsubscribe("weekly");
        assertThat(delayQueue.find("digests", "weekly")).isEmpty();
    }

    private Instant dueAt(String id) {
        return delayQueue.find("reminders", id).orElseThrow().dueAt();
    }
}
