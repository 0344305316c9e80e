// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delayqueue.DeliveryWindow;
import io.delayqueue.LogLines;
import io.delayqueue.delivery.OpenDelivery;
import io.delayqueue.handler.RetrySettings;
import io.delayqueue.internal.calls.StoreAnswers;
import io.delayqueue.internal.concurrent.Scheduler;
import io.delayqueue.internal.queue.DeadSettings;
import io.delayqueue.internal.queue.LimitSettings;
import io.delayqueue.internal.queue.QueueCatalog;
import io.delayqueue.internal.queue.QueueSettings;
import io.delayqueue.internal.queue.QueueSettingsBuilder;
import io.delayqueue.internal.queue.Rate;
import io.delayqueue.internal.queue.TimingSettings;
import io.delayqueue.internal.redis.StoreFixture;
import io.delayqueue.internal.store.NotedQueue;
import io.delayqueue.internal.store.QueueNoteStore;
import io.delayqueue.internal.store.Shard;
import io.delayqueue.internal.store.StoreCalls;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Several processes note their queues. Each has its own settings, as processes of two versions do. */
class QueueProcessesIntegrationTests {

    private static final Duration PERIOD = Duration.ofMillis(200);
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final String KEY = "{queues}:queues";

    private final StoreFixture redis = new StoreFixture();
    private final List<QueueProcesses> processes = new ArrayList<>();
    private final List<LowestLimits> limits = new ArrayList<>();
    private final LogLines log = new LogLines();

    @AfterEach
    void close() {
        processes.forEach(QueueProcesses::close);
        log.close();
        redis.close();
    }

    private static QueueSettings orders(Duration lease, int shards) {
        return QueueSettingsBuilder.of("orders").lease(lease).shards(shards).build();
    }

    private static QueueSettings orders() {
        return orders(Duration.ofSeconds(30), 2);
    }

    private QueueProcesses process(String application, QueueSettings queue, String... expected) {
        return announced(unannounced(PERIOD), application, queue, expected);
    }

    private QueueProcesses delivering(String application, QueueSettings queue, String address) {
        QueueProcesses process = unannounced(PERIOD);
        process.begin(new QueueDelivery(queue, new Destination(address), InterceptorChain.EMPTY));
        return announced(process, application, queue);
    }

    private QueueProcesses unannounced(Duration period) {
        LowestLimits lowest = new LowestLimits();
        QueueProcesses process =
                new QueueProcesses(redis.store(), new Scheduler(), lowest, period, "p" + processes.size() + "@host");
        processes.add(process);
        limits.add(lowest);
        return process;
    }

    private static QueueProcesses announced(
            QueueProcesses process, String application, QueueSettings queue, String... expected) {
        process.announce(application, new QueueCatalog(List.of(queue)), Set.of(expected));
        return process;
    }

    private record Destination(String address) implements LibraryDestination {

        @Override
        public void deliver(List<OpenDelivery> deliveries) {}
    }

    private void schedule(int shard) {
        StoreCalls.schedule(redis.store(), new Shard("orders", shard), List.of(redis.task("a")))
                .join();
    }

    private static void awaitProblem(QueueProcesses process, String... parts) {
        await().atMost(PATIENCE)
                .untilAsserted(
                        () -> assertThat(process.problems().get("orders")).contains(parts));
    }

    private static void awaitNoProblem(QueueProcesses process) {
        await().atMost(PATIENCE).until(() -> process.problems().isEmpty());
    }

    /** Waits long enough for the rounds after which a problem would be reported. */
    private static void staysWithoutProblem(QueueProcesses process) {
        await().during(PERIOD.multipliedBy(6))
                .atMost(PATIENCE)
                .until(() -> process.problems().isEmpty());
    }

    private long warnings(String part) {
        return log.all().stream().filter(line -> line.contains(part)).count();
    }

    @Test
    void processWithThousandsOfQueuesNotesAllOfThem() {
        List<QueueSettings> queues = IntStream.range(0, 1_201)
                .mapToObj(number -> QueueSettingsBuilder.withDefaults("q" + number))
                .toList();
        unannounced(PERIOD).announce("shop", new QueueCatalog(queues), Set.of());

        await().atMost(PATIENCE)
                .until(() -> StoreAnswers.await(redis.store()
                                        .queueNotes()
                                        .note("reader", QueueNoteStore.Kind.QUEUES, List.of(), Duration.ofMinutes(1)))
                                .size()
                        == queues.size());
    }

    @Test
    void endWhenTheQueueIsAlreadyDeliveredAgainDoesNotEndThat() {
        QueueProcesses process = unannounced(PERIOD);
        QueueDelivery first = new QueueDelivery(orders(), new Destination("a"), InterceptorChain.EMPTY);
        QueueDelivery second = new QueueDelivery(orders(), new Destination("a"), InterceptorChain.EMPTY);
        process.begin(first);
        process.begin(second);

        process.end(first);
        assertThat(process.delivered()).containsExactly("orders");
        process.end(second);
        assertThat(process.delivered()).isEmpty();
    }

    @Test
    void processesWhenTheyDifferAreNamedWithTheDifferencesAndWarnedAboutOnce() {
        QueueProcesses first = delivering("shop", orders(), "exchange 'a'");
        LimitSettings limits = new LimitSettings(null, null, Rate.parse("5/s"), 1);
        QueueSettings other = QueueSettingsBuilder.of(orders(Duration.ofSeconds(60), 4))
                .limits(limits)
                .build();
        QueueProcesses second = delivering("shop-2", other, "exchange 'b'");

        for (QueueProcesses each : List.of(first, second)) {
            awaitProblem(
                    each,
                    "application: shop (p0@host), shop-2 (p1@host)",
                    "destination: exchange 'a' (p0@host), exchange 'b' (p1@host)",
                    "lease: 30000 ms (p0@host), 60000 ms (p1@host)",
                    "limits (the lower ones apply): none (p0@host), per-key.rate=5.0/s,per-key.concurrency=1 (p1@host)",
                    "shards: 2 (p0@host), 4 (p1@host)");
        }
        await().during(PERIOD.multipliedBy(5)).atMost(PATIENCE).until(() -> warnings("its processes differ") == 2);

        second.close();
        awaitNoProblem(first);
    }

    @Test
    void processesWhenTheirLimitsDifferApplyTheLowerOfEachUntilTheOtherIsGone() {
        QueueSettings one = QueueSettingsBuilder.of(orders())
                .limits(new LimitSettings(Rate.parse("200/s"), null, Rate.parse("300/m burst 4"), null))
                .build();
        QueueSettings another = QueueSettingsBuilder.of(orders())
                .limits(new LimitSettings(Rate.parse("50/s"), null, Rate.parse("10/s"), 3))
                .build();
        delivering("shop", one, "handler");
        QueueProcesses second = delivering("shop", another, "handler");
        process("web", orders());

        LimitSettings lowest = new LimitSettings(Rate.parse("50/s"), null, Rate.parse("300/m burst 1"), 3);
        await().atMost(PATIENCE).untilAsserted(() -> {
            assertThat(NotedLimits.text(limits.get(0).of(one))).isEqualTo(NotedLimits.text(lowest));
            assertThat(NotedLimits.text(limits.get(1).of(another))).isEqualTo(NotedLimits.text(lowest));
        });
        await().atMost(PATIENCE).until(() -> !limits.get(2).of(orders()).equals(LimitSettings.NONE));

        second.close();
        await().atMost(PATIENCE).until(() -> limits.get(0).of(one).equals(one.limits()));
    }

    @Test
    void processWhenItBeginsToDeliverAppliesTheLowerLimitsOfOthersAtOnce() {
        LimitSettings low = new LimitSettings(null, null, Rate.parse("5/s"), null);
        delivering("shop", QueueSettingsBuilder.of(orders()).limits(low).build(), "handler");
        await().atMost(PATIENCE).until(() -> !redis.hash(KEY).isEmpty());

        QueueProcesses second = announced(unannounced(Duration.ofDays(1)), "shop", orders());
        second.begin(new QueueDelivery(orders(), new Destination("handler"), InterceptorChain.EMPTY));

        await().atMost(PATIENCE).until(() -> limits.get(1).of(orders()).keyRate(), Rate.ofReduced("1/200ms")::equals);
    }

    @Test
    void processesWhenANewerVersionHasOtherLimitsAreComparedInAllElse() {
        redis.putHash(
                KEY, "orders 1 60000 2 limits:more=1,per-key.rate=1/200ms shop handler", "1:9999999999999:p9@host");
        schedule(0);

        QueueProcesses scheduling = process("web", orders());
        staysWithoutProblem(scheduling);

        QueueProcesses delivering = delivering("shop", orders(), "handler");
        awaitProblem(delivering, "lease: 30000 ms (p1@host), 60000 ms (p9@host)", "per-key.rate=5.0/s (p9@host)");
        assertThat(limits.get(1).of(orders()).keyRate()).isEqualTo(Rate.ofReduced("1/200ms"));
    }

    @Test
    void processesWhenTheyAgreeHaveNoProblemEvenBesideOneThatOnlySchedules() {
        schedule(0);
        delivering("shop", orders(), "handler");
        delivering("shop", orders(), "handler");
        process("web", orders(Duration.ofSeconds(99), 2));

        for (QueueProcesses each : processes) {
            staysWithoutProblem(each);
        }
        assertThat(warnings("Queue 'orders'")).isZero();
        assertThat(redis.hash(KEY).keySet())
                .as("processes with the same settings share a note")
                .hasSize(2)
                .anyMatch(note -> note.startsWith("orders 1 30000 2 limits:none shop handler\t"))
                .anyMatch(note -> note.startsWith("orders 0 99000 2 limits:none web none\t"));
    }

    private Map<String, Set<String>> settings() {
        return NotedSettings.of(
                "orders",
                redis.store()
                        .queueNotes()
                        .note("reader", QueueNoteStore.Kind.QUEUES, List.of(), NotedSettings.SILENCE)
                        .join());
    }

    @Test
    void settingsAreThoseOfTheProcessesThatDeliverWithAllValues() {
        process("web", orders(Duration.ofSeconds(99), 7));
        assertThat(settings()).isEmpty();
        QueueSettings one = QueueSettingsBuilder.of(orders())
                .retry(new RetrySettings(9, Duration.ofSeconds(2), 3, Duration.ofMinutes(1), 0))
                .dead(new DeadSettings(Duration.ofDays(14), null))
                .handlerTimeout(Duration.ofSeconds(7))
                .timing(new TimingSettings(
                        null, TimingSettings.Expired.DEAD, DeliveryWindow.parse("09:00-21:00 Europe/Berlin"), Map.of()))
                .limits(new LimitSettings(Rate.parse("200/s"), null, null, null))
                .build();
        QueueSettings configured = QueueSettingsBuilder.of(one)
                .lease(Duration.ofSeconds(60))
                .retry(RetrySettings.DEFAULT)
                .build();
        QueueProcesses overriding = unannounced(PERIOD);
        overriding.begin(new QueueDelivery(one, new Destination("handler"), InterceptorChain.EMPTY));
        announced(overriding, "shop", configured);

        await().atMost(PATIENCE).until(() -> !settings().isEmpty());
        assertThat(settings())
                .containsEntry("destination", Set.of("handler"))
                .containsEntry("shards", Set.of("2"))
                .containsEntry("lease", Set.of("30s"))
                .containsEntry("limits", Set.of("rate=200.0/s"))
                .containsEntry("retry.max-retries", Set.of("9"))
                .containsEntry("retry.delay", Set.of("2s"))
                .containsEntry("handler.timeout", Set.of("7s"))
                .containsEntry("dead.retention", Set.of("14d"))
                .containsEntry("dead.cap", Set.of("unlimited"))
                .containsEntry("expires-after", Set.of("unlimited"))
                .containsEntry("window", Set.of("09:00-21:00 Europe/Berlin"));

        delivering("shop", configured, "exchange 'a'");
        await().atMost(PATIENCE).until(() -> settings().get("lease").size() == 2);
        assertThat(settings())
                .containsEntry("destination", Set.of("exchange 'a'", "handler"))
                .containsEntry("lease", Set.of("1m", "30s"))
                .containsEntry("retry.max-retries", Set.of("35", "9"))
                .containsEntry("dead.retention", Set.of("14d"));
    }

    @Test
    void queueWhenItHoldsTasksAndNoLiveProcessDeliversItIsReportedByOneThatDoesNotConfigureIt() {
        schedule(1);
        QueueProcesses removed = delivering("shop", orders(), "exchange 'a'");
        await().atMost(PATIENCE).until(() -> !redis.hash(KEY).isEmpty());
        removed.close();
        QueueProcesses other = process("web", QueueSettingsBuilder.withDefaults("mails"));

        awaitProblem(
                other,
                "it holds tasks (1), but no live process delivers it",
                "Last delivered by: p0@host of application shop to exchange 'a'");
        assertThat(other.problems()).containsOnlyKeys("orders");

        delivering("shop", orders(), "exchange 'a'");
        awaitNoProblem(other);
    }

    @Test
    void queueWhenItHasNoTasksNeedsNoProcess() {
        staysWithoutProblem(process("web", orders()));
    }

    @Test
    void queueWhenItsDeliveryEndsIsReported() {
        schedule(0);
        QueueProcesses process = unannounced(PERIOD);
        QueueDelivery delivery = new QueueDelivery(orders(), new Destination("handler"), InterceptorChain.EMPTY);
        process.begin(delivery);
        announced(process, "shop", orders());
        staysWithoutProblem(process);

        process.end(delivery);

        awaitProblem(process, "no live process delivers it");
    }

    @Test
    void queueWhenItMayDifferHasNoProblem() {
        schedule(0);
        QueueProcesses silent = process("web", orders(), "orders");
        QueueProcesses other = process("web", orders());

        awaitProblem(other, "it holds tasks (1)", "Last delivered by: unknown");

        staysWithoutProblem(silent);
        assertThat(warnings("Queue 'orders': it holds")).isOne();
    }

    @Test
    void problemWhenItIsFoundForTheFirstTimeIsNotReportedYet() {
        schedule(0);
        QueueProcesses process = announced(unannounced(Duration.ofSeconds(2)), "web", orders());
        await().atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(5))
                .until(() -> !redis.hash(KEY).isEmpty());

        assertThat(process.problems()).isEmpty();

        awaitProblem(process, "it holds tasks (1)");
    }

    @Test
    void notesWhenSomethingElseIsInTheHashArePassedOver() {
        String live = "1:9999999999999:p9@host";
        redis.putHash(KEY, "no process", "garbage");
        redis.putHash(KEY, "orders 1 garbage", live);
        redis.putHash(KEY, "orders\nmails 1 30000 2 limits:none shop handler", live);
        redis.putHash(KEY, "orders{a} 1 30000 2 limits:none shop handler", live);
        redis.putHash(KEY, "broken 0 30000 2 limits:none shop none", live);
        redis.damage(new Shard("broken", 0), "index");

        delivering("shop", orders(), "handler");
        staysWithoutProblem(processes.get(0));

        delivering("shop", orders(), "exchange 'a'");
        awaitProblem(processes.get(0), "destination: exchange 'a'");
        assertThat(processes.get(0).problems()).containsOnlyKeys("orders");
    }

    @Test
    void applicationWithoutQueuesSendsNothing() throws InterruptedException {
        QueueProcesses process = unannounced(PERIOD);
        long before = redis.scriptCalls();

        process.announce("web", new QueueCatalog(List.of()), Set.of());
        Thread.sleep(PERIOD.multipliedBy(4).toMillis());

        assertThat(redis.scriptCalls()).isEqualTo(before);
    }

    @Test
    void notesWhenNoProcessRepeatsThemAreDeletedExceptTheLastOfAQueue() {
        AtomicLong ahead = new AtomicLong();
        var notes = redis.store(ahead::get).queueNotes();
        Duration silence = Duration.ofSeconds(150);
        for (int i = 0; i < 300; i++) {
            notes.note(
                            "p@host",
                            QueueNoteStore.Kind.QUEUES,
                            List.of(new NotedQueue("orders", true, "settings " + i, "p@host", true)),
                            silence)
                    .join();
            ahead.incrementAndGet();
        }
        assertThat(redis.hash(KEY)).hasSize(300);
        assertThat(redis.millisToLive(KEY))
                .isBetween(Duration.ofDays(399).toMillis(), Duration.ofDays(400).toMillis());

        ahead.addAndGet(Duration.ofMinutes(11).toMillis());
        notes.note("p@host", QueueNoteStore.Kind.QUEUES, List.of(), silence).join();
        assertThat(redis.hash(KEY)).containsOnlyKeys("orders 1 settings 299");
        assertThat(notes.note("p@host", QueueNoteStore.Kind.QUEUES, List.of(), silence)
                        .join())
                .containsExactly(new NotedQueue("orders", true, "settings 299", "p@host", false));

        ahead.addAndGet(Duration.ofDays(401).toMillis());
        assertThat(notes.note("p@host", QueueNoteStore.Kind.QUEUES, List.of(), silence)
                        .join())
                .isEmpty();
        assertThat(redis.hash(KEY)).isEmpty();
    }
}
