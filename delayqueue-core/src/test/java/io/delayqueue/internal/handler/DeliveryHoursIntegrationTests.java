// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.handler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import io.delayqueue.ConflictPolicy;
import io.delayqueue.DeliveryWindow;
import io.delayqueue.Due;
import io.delayqueue.FoundTask;
import io.delayqueue.InvalidTaskException;
import io.delayqueue.LocalDueTime;
import io.delayqueue.LogEvents;
import io.delayqueue.ScheduleRequest;
import io.delayqueue.TaskContent;
import io.delayqueue.TaskState;
import io.delayqueue.WorkingDays;
import io.delayqueue.annotation.TaskHeaders;
import io.delayqueue.internal.queue.TimingSettings;
import io.delayqueue.internal.store.NewTask;
import io.delayqueue.internal.store.Shard;
import io.delayqueue.internal.store.StoreCalls;
import io.delayqueue.trigger.TriggerFixture;
import io.micrometer.observation.ObservationRegistry;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tasks that are delivered by the clocks of a place: in some hours only, or at a local time. */
@Timeout(60)
class DeliveryHoursIntegrationTests {

    private static final String QUEUE = TriggerFixture.QUEUE;
    private static final Shard SHARD = new Shard(QUEUE, 0);
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private final TriggerFixture fixture = new TriggerFixture();
    /** Ids with their attempts, and when each began. */
    private final List<String> handled = new CopyOnWriteArrayList<>();

    private final List<Instant> begun = new CopyOnWriteArrayList<>();
    private final Instant now = Instant.now().truncatedTo(ChronoUnit.SECONDS);
    private final LogEvents log = new LogEvents();
    private RegisteredHandlers registry;

    @AfterEach
    void close() {
        log.close();
        if (registry != null) {
            registry.stop();
        }
        fixture.close();
    }

    private void handle() {
        registry = new RegisteredHandlers(
                fixture.context(), new DelayedTasks(fixture.codecs()), ObservationRegistry.NOOP, FailurePolicy.DEFAULT);
        registry.start();
        registry.register(QUEUE, String.class, task -> {
            begun.add(Instant.now());
            handled.add(task.id() + " " + task.attempt());
        });
    }

    /** Returns a window in a zone where it is noon now, so that it never crosses midnight by chance. */
    private DeliveryWindow window(Duration opensIn, Duration closesIn) {
        int seconds = LocalTime.ofInstant(now, ZoneOffset.UTC).toSecondOfDay();
        ZoneOffset zone = ZoneOffset.ofTotalSeconds(Math.max(-64_800, Math.min(64_800, 43_200 - seconds)));
        LocalTime here = LocalTime.ofInstant(now, zone);
        return DeliveryWindow.between(here.plus(opensIn), here.plus(closesIn)).inZone(zone);
    }

    private static ScheduleRequest.Builder<Object> request(String id) {
        return ScheduleRequest.to(QUEUE).id(id).payload("payload");
    }

    private FoundTask<String> find(String id) {
        return fixture.template().find(QUEUE, id, String.class).orElseThrow();
    }

    /** As this library writes it, whatever the headers say. */
    private void store(String id, Instant due, Map<String, String> headers) {
        byte[] payload = "payload".getBytes(StandardCharsets.UTF_8);
        TaskContent content = new TaskContent("text/plain;charset=UTF-8", headers, payload);
        StoreCalls.schedule(
                        fixture.redis.store(),
                        SHARD,
                        List.of(new NewTask(id, new byte[16], Due.at(due), ConflictPolicy.REPLACE, content, 0)))
                .join();
    }

    private void awaitPutOff(String id, Instant to) {
        await().atMost(PATIENCE).until(() -> find(id).lastReason().isPresent());
        FoundTask<String> task = find(id);
        assertThat(task.state()).isEqualTo(TaskState.SCHEDULED);
        assertThat(task.failures()).isZero();
        assertThat(task.nextAttentionAt()).isBetween(to, to.plusSeconds(10));
        assertThat(handled).isEmpty();
    }

    @Test
    void scheduleWhenDueOutsideTheHoursMovesItToTheirOpening() {
        DeliveryWindow later = window(Duration.ofHours(2), Duration.ofHours(3));
        Instant opening = now.plus(Duration.ofHours(2));

        assertThat(fixture.template()
                        .schedule(request("delay")
                                .dueIn(Duration.ofMinutes(1))
                                .within(later)
                                .build())
                        .dueAt())
                .isEqualTo(opening);
        assertThat(fixture.template()
                        .schedule(request("past")
                                .dueAt(now.minusSeconds(60))
                                .within(later)
                                .build())
                        .dueAt())
                .isEqualTo(opening);
        assertThat(fixture.template()
                        .schedule(request("in")
                                .dueAt(opening.plusSeconds(60))
                                .within(later)
                                .build())
                        .dueAt())
                .isEqualTo(opening.plusSeconds(60));
        assertThat(fixture.template()
                        .schedule(request("local")
                                .dueAt(LocalDateTime.ofInstant(now, later.zone()), later.zone())
                                .within(later)
                                .build())
                        .dueAt())
                .isEqualTo(opening);
    }

    private static TimingSettings hours(DeliveryWindow window) {
        return new TimingSettings(null, TimingSettings.Expired.DEAD, window, Map.of());
    }

    private static TimingSettings calendars(Map<String, WorkingDays> calendars) {
        return new TimingSettings(null, TimingSettings.Expired.DEAD, null, calendars);
    }

    @Test
    void scheduleWhenTheQueueHasHoursKeepsToThemUnlessTheRequestSaysOtherwise() {
        fixture.timing = hours(window(Duration.ofHours(2), Duration.ofHours(3)));

        assertThat(fixture.template()
                        .schedule(request("a").dueIn(Duration.ZERO).build())
                        .dueAt())
                .isEqualTo(now.plus(Duration.ofHours(2)));
        assertThat(fixture.template()
                        .schedule(request("b")
                                .dueIn(Duration.ZERO)
                                .within(DeliveryWindow.ALWAYS)
                                .build())
                        .dueAt())
                .isCloseTo(Instant.now(), within(30, ChronoUnit.SECONDS));
        assertThat(find("a").headers()).isEmpty();
    }

    @Test
    void deliveryWhenTheLatestMomentHasPassedDoesNotBegin() {
        fixture.template()
                .schedule(request("late")
                        .dueAt(now.minusSeconds(60))
                        .notAfter(now.minusSeconds(30))
                        .build());
        fixture.template()
                .schedule(request("in-time")
                        .dueAt(now.minusSeconds(60))
                        .notAfter(now.plusSeconds(3600))
                        .build());

        handle();

        await().atMost(PATIENCE).until(() -> handled.contains("in-time 1"));
        await().atMost(PATIENCE).until(() -> find("late").state() == TaskState.DEAD);
        assertThat(find("late").lastReason()).contains("expired");
        assertThat(handled).hasSize(1);
    }

    @Test
    void deliveryWhenDueOutsideTheHoursIsPutOffToTheirOpeningWithoutAnAttempt() {
        DeliveryWindow later = window(Duration.ofHours(2), Duration.ofHours(3));
        fixture.template()
                .schedule(
                        request("own").dueIn(Duration.ofHours(1)).within(later).build());
        fixture.template().reschedule(QUEUE, "own", Due.at(now));
        handle();

        awaitPutOff("own", now.plus(Duration.ofHours(2)));
        assertThat(find("own").lastReason()).contains("outside its delivery hours");
    }

    @Test
    void deliveryWhenTheHoursOfItsQueueComeIsTheFirstAttempt() {
        Instant opening = now.plusSeconds(6);
        store("a", now.minusSeconds(1), Map.of());
        fixture.timing = hours(window(Duration.ofSeconds(6), Duration.ofHours(1)));
        handle();

        await().atMost(Duration.ofSeconds(40)).until(() -> handled.equals(List.of("a 1")));

        assertThat(begun.get(0)).isAfterOrEqualTo(opening);
    }

    @Test
    void deliveryWhenTheRulesOfItsZoneHaveChangedWaitsForTheLocalTime() {
        LocalDueTime inAnHour = new LocalDueTime(
                LocalDateTime.ofInstant(now.plusSeconds(3_600), ZoneOffset.UTC), ZoneId.of("Europe/London"));
        Instant due = now.minusSeconds(1);
        String header = inAnHour + "=" + due.toEpochMilli();
        store("a", due, Map.of(TaskHeaders.LOCAL_TIME, header));
        handle();

        awaitPutOff("a", inAnHour.toInstant());

        assertThat(find("a").dueAt()).isEqualTo(due);
        assertThat(find("a").lastReason()).contains("its local due time has not been reached");
        fixture.template().reschedule(QUEUE, "a", Due.after(Duration.ZERO));
        await().atMost(PATIENCE).until(() -> handled.equals(List.of("a 1")));
    }

    @Test
    void deliveryWhenTheHoursMovedALocalTimeBackDoesNotWaitForThatTime() {
        DeliveryWindow open = window(Duration.ZERO, Duration.ofHours(1));
        LocalDateTime closed = LocalDateTime.ofInstant(now.plus(Duration.ofHours(2)), open.zone());
        fixture.template()
                .schedule(request("a")
                        .dueAt(closed, open.zone())
                        .within(open)
                        .previousOpening()
                        .build());
        handle();

        await().atMost(PATIENCE).until(() -> handled.equals(List.of("a 1")));
    }

    @Test
    void deliveryWhenItIsNotKnownWhenItMayBeginFails() {
        fixture.maxAttempts = 2;
        store("window", now, Map.of(TaskHeaders.WINDOW, "09:00-21:00 Europe/Nowhere"));
        store("calendar", now, Map.of(TaskHeaders.WINDOW, "00:00-00:00 UTC calendar:gone"));
        store("local", now, Map.of(TaskHeaders.LOCAL_TIME, "at noon"));
        handle();

        for (String id : List.of("window", "calendar", "local")) {
            await().atMost(PATIENCE).until(() -> find(id).state() == TaskState.DEAD);
            assertThat(find(id).lastReason().orElseThrow()).startsWith("its delivery hours could not be evaluated: ");
            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(fixture.counted)
                            .filteredOn(count -> count.endsWith(" " + id))
                            .containsExactly("first " + id, "FAILED " + id, "later " + id, "DEAD " + id));
        }
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(log.of(Level.ERROR))
                        .anySatisfy(line -> assertThat(line.getFormattedMessage())
                                .contains("dead and kept", "its delivery hours could not be evaluated")));
        assertThat(handled).isEmpty();
    }

    @Test
    void deliveryWhenACalendarThrowsAnythingFailsAsOftenAsItMay() {
        fixture.maxAttempts = 2;
        fixture.timing = calendars(Map.of(
                "error",
                day -> {
                    throw new NoClassDefFoundError("holidays");
                },
                "checked",
                day -> sneak(new IOException("holidays"))));
        store("error", now, Map.of(TaskHeaders.WINDOW, "00:00-00:00 UTC calendar:error"));
        store("checked", now, Map.of(TaskHeaders.WINDOW, "00:00-00:00 UTC calendar:checked"));
        store("neighbour", now, Map.of());
        handle();

        for (String id : List.of("error", "checked")) {
            await().atMost(PATIENCE).until(() -> find(id).state() == TaskState.DEAD);
            assertThat(find(id).failures()).isEqualTo(2);
            assertThat(find(id).lastReason().orElseThrow()).startsWith("its delivery hours could not be evaluated: ");
        }
        await().atMost(PATIENCE).until(() -> handled.equals(List.of("neighbour 1")));
    }

    /** As code in languages without checked exceptions does. */
    @SuppressWarnings("unchecked")
    private static <E extends Throwable> boolean sneak(Throwable error) throws E {
        throw (E) error;
    }

    @Test
    void scheduleWhenTheHoursNeverComeIsRefused() {
        DeliveryWindow never = window(Duration.ofHours(1), Duration.ofHours(2)).onWorkingDays("none");
        assertThatExceptionOfType(InvalidTaskException.class)
                .isThrownBy(() -> fixture.template()
                        .schedule(
                                request("a").dueIn(Duration.ZERO).within(never).build()))
                .withMessageContaining("There is no calendar 'none'");
        fixture.timing = calendars(Map.of("none", day -> false));
        assertThatExceptionOfType(InvalidTaskException.class)
                .isThrownBy(() -> fixture.template()
                        .schedule(
                                request("a").dueIn(Duration.ZERO).within(never).build()))
                .withMessageContaining("never opens");
    }
}
