// SPDX-License-Identifier: Apache-2.0
package com.example.recipes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delayqueue.DeliveryWindow;
import io.delayqueue.admin.DelayQueueAdmin;
import io.delayqueue.annotation.DelayQueueListener;
import io.delayqueue.guide.GuidePages;
import io.delayqueue.test.DelayQueueTest;
import io.delayqueue.test.DelayQueueTestKit;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;

/** The code of docs/recipes.md does what the page says. */
@GuidePages({})
@DelayQueueTest(
        value = {Recipes.class, Calendars.class, TooLate.class, RecipesPageIntegrationTests.Handler.class},
        queues = "reminders")
class RecipesPageIntegrationTests {

    private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");

    @Autowired
    private Recipes recipes;

    @Autowired
    private TooLate tooLate;

    @Autowired
    private DelayQueueTestKit kit;

    @Autowired
    private DelayQueueAdmin admin;

    @Test
    void groupWhenPaidForHasNoTimers() {
        assertThat(recipes.timersOfAnOrder().changed()).isEqualTo(2);
        assertThat(kit.queue("reminders")).hasNoTasks();
    }

    @Test
    void codeWhenTooLateIsNotSentAndSomebodyIsTold() {
        recipes.sendACodeInTime();
        admin.pause("reminders");
        kit.advance(Duration.ofMinutes(11));
        admin.resume("reminders");
        await().until(() -> tooLate.told.contains("reminders"));
    }

    @Test
    void shopOpensAtItsLocalTime() {
        assertThat(recipes.open().dueAt())
                .isEqualTo(ZonedDateTime.of(2027, 3, 28, 9, 30, 0, 0, BERLIN).toInstant());
    }

    @Test
    void reminderOfAnAppointmentComesBeforeIt() {
        DeliveryWindow officeHours = DeliveryWindow.between(LocalTime.of(9, 0), LocalTime.of(18, 0))
                .inZone(ZoneOffset.UTC)
                .onDays(DayOfWeek.MONDAY, DayOfWeek.TUESDAY, DayOfWeek.WEDNESDAY, DayOfWeek.THURSDAY, DayOfWeek.FRIDAY);

        assertThat(recipes.remindOf(Instant.parse("2099-01-12T08:00:00Z"), officeHours)
                        .dueAt())
                .as("an appointment on a Monday is announced on Friday")
                .isEqualTo("2099-01-09T09:00:00Z");
    }

    @Test
    void reminderWhenItWouldComeAtNightComesByDay() {
        recipes.remindByDay(new Customer("customer-7", BERLIN));
        assertThat(kit.queue("reminders").tasks()).singleElement().satisfies(task -> {
            ZonedDateTime due = task.nextAttentionAt().atZone(BERLIN);
            assertThat(due.toLocalTime()).isBetween(LocalTime.of(9, 0), LocalTime.of(21, 0));
            assertThat(due.getDayOfWeek()).isNotIn(DayOfWeek.SATURDAY, DayOfWeek.SUNDAY);
        });
    }

    static final class Handler {

        @DelayQueueListener(queue = "reminders")
        void handle(Object payload) {}
    }
}
