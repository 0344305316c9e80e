// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.console;

import static io.delayqueue.TestRequests.requestTo;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import io.delayqueue.DelayQueueException;
import io.delayqueue.ScheduleRequest;
import io.delayqueue.admin.DelayQueueAdmin;
import io.delayqueue.control.BulkAction;
import io.delayqueue.control.Caller;
import io.delayqueue.control.QueuePermission;
import io.delayqueue.control.TaskFilter;
import io.delayqueue.delivery.Outcome;
import io.delayqueue.delivery.TaskDestination;
import io.delayqueue.internal.console.ConsoleAnswer.Chunks;
import io.delayqueue.internal.console.ConsoleAnswer.Whole;
import io.delayqueue.internal.console.request.ConsoleRequest;
import io.delayqueue.internal.console.request.ConsoleRequest.Origin;
import io.delayqueue.internal.control.BulkRequest;
import io.delayqueue.internal.control.QueueControl;
import io.delayqueue.internal.queue.QueueCatalog;
import io.delayqueue.internal.queue.QueueSettings;
import io.delayqueue.internal.queue.QueueSettingsBuilder;
import io.delayqueue.trigger.ScanTrigger;
import io.delayqueue.trigger.TestBeans;
import io.delayqueue.trigger.TestQueues;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The console without a web framework, on queues in Redis. */
class ConsoleIntegrationTests {

    private final QueueSettings mails =
            QueueSettingsBuilder.of("mails").history(10).build();
    private final QueueSettings plain = QueueSettingsBuilder.of("plain").build();
    private final TestQueues queues = new TestQueues(mails, plain);
    private final Set<QueuePermission> may = EnumSet.of(QueuePermission.READ);
    private final Map<String, String> problems = new HashMap<>();
    /** Searches on threads of this group wait for it. */
    private final CountDownLatch searches = new CountDownLatch(1);

    private final ThreadGroup searchers = new ThreadGroup("searchers");
    private final QueueControl control = new QueueControl(
            gate(queues.admin()),
            queues.template(),
            (caller, queue) -> may,
            null,
            List.of(),
            queues.store(),
            List::of,
            () -> problems,
            null);
    private final Console console = new Console(
            control, new QueueCatalog(List.of(mails, plain)), new Installation("shop", null, "/delayqueue", null));

    @AfterEach
    void close() {
        searches.countDown();
        control.close();
        queues.close();
    }

    private DelayQueueAdmin gate(DelayQueueAdmin target) {
        return (DelayQueueAdmin) Proxy.newProxyInstance(
                DelayQueueAdmin.class.getClassLoader(),
                new Class<?>[] {DelayQueueAdmin.class},
                (proxy, method, args) -> {
                    if (method.getName().equals("deadTasks")
                            && Thread.currentThread().getThreadGroup() == searchers) {
                        searches.await();
                    }
                    try {
                        return method.invoke(target, args);
                    } catch (InvocationTargetException ex) {
                        throw ex.getCause();
                    }
                });
    }

    private ConsoleAnswer get(String path, Map<String, String> parameters) {
        return answer("GET", path, parameters);
    }

    private ConsoleAnswer answer(String method, String path, Map<String, String> parameters) {
        return console.answer(new ConsoleRequest(
                method,
                path,
                parameters,
                Caller.of(() -> "ann", role -> true),
                "/delayqueue",
                Map::of,
                new Origin("same-origin", null, "localhost"),
                Instant.now()));
    }

    private String renewed(String path, Map<String, String> parameters) {
        Map<String, String> all = new HashMap<>(parameters);
        all.put(ConsoleRequest.RENEWAL, "true");
        return text(path, all);
    }

    private String text(Map<String, String> parameters) {
        return text("/queues/mails/task", parameters);
    }

    private String text(String path, Map<String, String> parameters) {
        return new String(((Whole) get(path, parameters)).body(), StandardCharsets.UTF_8);
    }

    private void schedule(String id) {
        queues.template().schedule(requestTo("mails", id, "x", Duration.ofHours(1)));
    }

    private ScanTrigger trigger(String queue, Function<String, Outcome> outcome) {
        ScanTrigger trigger = new ScanTrigger(queue) {
            @Override
            protected TaskDestination createDestination() {
                return deliveries -> deliveries.forEach(delivery -> delivery.settle(outcome.apply(delivery.id())));
            }
        };
        trigger.setBeanFactory(TestBeans.of(queues.triggerContext()));
        return trigger;
    }

    /** Delivers the task of a queue, and waits until its attempt has failed. */
    private void fail(String queue) {
        ScanTrigger trigger = trigger(queue, id -> Outcome.failed("no mail"));
        assertThat(trigger.scanOnce(1)).isOne();
        await().until(() -> queues.template().find(queue, "a").orElseThrow().failures() == 1);
        trigger.destroy();
    }

    @Test
    void overviewWhenProcessesDisagreeShowsThatOnceAndEscaped() {
        assertThat(text("", Map.of())).doesNotContain("notice warn");

        problems.put("removed", "it holds tasks (1), but no live process delivers it <b>");

        assertThat(text("", Map.of()))
                .containsOnlyOnce("Queue removed: it holds tasks (1), but no live process delivers it &lt;b&gt;");
        assertThat(renewed("", Map.of())).contains("Queue removed: it holds tasks (1)");
    }

    /** Else its page would say of a task that was delivered long ago that it waits, and that this is live. */
    @Test
    void renewalWhenATaskHasEndedSaysThatItIsGoneAndTakesItsFormsAway() {
        may.add(QueuePermission.OPERATE);
        schedule("a");
        assertThat(renewed("/queues/mails/task", Map.of("id", "a"))).contains("Deliver now");

        queues.template().cancel("mails", "a");

        await().untilAsserted(() -> assertThat(renewed("/queues/mails/task", Map.of("id", "a")))
                .contains("no task with this id")
                .doesNotContain("method=\"post\""));
    }

    @Test
    void renewalWhenTheFirstOperationBeginsTellsIt() {
        assertThat(renewed("/operations", Map.of())).contains("No recent bulk actions");

        control.bulk()
                .start(
                        Caller.of(() -> "ann", role -> true),
                        new BulkRequest("mails", BulkAction.CANCEL, TaskFilter.ALL, null, true));

        await().untilAsserted(() ->
                assertThat(renewed("/operations", Map.of())).contains("Preview: cancel scheduled tasks in mails"));
    }

    /** Renewed pages are shared for two seconds. */
    @Test
    void renewalAfterAChangeNeverShowsTheStateBefore() {
        may.add(QueuePermission.OPERATE);
        assertThat(renewed("/queues/mails", Map.of())).doesNotContain(">Paused<");

        assertThat(answer("POST", "/queues/mails/pause", Map.of()).status()).isEqualTo(303);

        assertThat(renewed("/queues/mails", Map.of())).contains(">Paused<");
    }

    /** The application's rules for a queue's pages hold for its files. */
    @Test
    void exportWhenAskedForElsewhereIsNotThere() {
        assertThat(get("/queues/mails/tasks.csv", Map.of()).status()).isEqualTo(200);
        assertThat(get("/other/mails/tasks.csv", Map.of()).status()).isEqualTo(404);
    }

    @Test
    void listWhenOfTasksUnderDeliveryOffersNoChangeOfOthers() {
        assertThat(text("/queues/mails/tasks", Map.of("group", "g"))).doesNotContain("Bulk action on these");
        may.add(QueuePermission.OPERATE);
        assertThat(text("/queues/mails/tasks", Map.of("group", "g"))).contains("Bulk action on these");
        assertThat(text("/queues/mails/tasks", Map.of("group", "g", "state", "leased")))
                .doesNotContain("Bulk action on these");
    }

    @Test
    void pageWhenItIsAnErrorSaysNothingOfAChange() {
        assertThat(text("/queues/mails", Map.of("done", "purge"))).contains("The queue was emptied");
        assertThat(text("/nowhere", Map.of("done", "purge"))).doesNotContain("The queue was emptied");
    }

    @Test
    void reasonsWhenThereAreMoreThanAreShownSaySo() {
        ScanTrigger trigger = trigger("mails", id -> Outcome.dead("no mail " + id));
        for (int i = 0; i < 201; i++) {
            queues.template().schedule(requestTo("mails", "a" + i, "x", Instant.EPOCH));
        }
        assertThat(trigger.scanOnce(200)).isEqualTo(200);
        await().untilAsserted(() -> assertThat(text("/queues/mails/reasons", Map.of()))
                .contains("200 of 200 dead tasks")
                .doesNotContain("most frequent"));

        assertThat(trigger.scanOnce(10)).isOne();

        await().untilAsserted(() -> assertThat(text("/queues/mails/reasons", Map.of()))
                .contains("201 of 201 dead tasks", "the 200 most frequent are shown"));
        trigger.destroy();
    }

    @Test
    void historyWhenAPageIsOnlyRenewedIsNotRead() {
        schedule("a");
        queues.template().cancel("mails", "a");

        assertThat(text(Map.of("id", "a"))).contains("<h2>History</h2>", "cancelled");
        assertThat(text(Map.of("id", "a", "renewal", "true"))).doesNotContain("<h2>History</h2>");
    }

    @Test
    void historyShowsEachFailedAttemptOnceWithItsProcess() {
        queues.template().schedule(requestTo("mails", "a", "x", Duration.ZERO));
        fail("mails");

        assertThat(text(Map.of("id", "a")))
                .containsOnlyOnce("retried: <span class=\"code\">no mail</span> <span class=\"sub\">by ")
                .doesNotContain("failed: <span", "data-live=\"task-history\"");

        // The queue's history forgets the attempts, and the task does not.
        IntStream.range(0, 300).forEach(i -> {
            schedule("other");
            queues.template().cancel("mails", "other");
        });
        assertThat(text(Map.of("id", "a"))).containsOnlyOnce("failed: <span class=\"code\">no mail</span>");
    }

    @Test
    void failedAttemptsOfAQueueWithoutHistoryAreShownAndRenewed() {
        queues.template().schedule(requestTo("plain", "a", "x", Duration.ZERO));
        fail("plain");

        assertThat(text("/queues/plain/task", Map.of("id", "a"))).contains("data-live=\"task-history\"");
        assertThat(renewed("/queues/plain/task", Map.of("id", "a")))
                .contains("data-live=\"task-history\"")
                .containsOnlyOnce("failed: <span class=\"code\">no mail</span>");
    }

    @Test
    void listWhenItIsATabHasNoWindowInItsFormButThatOfTheUser() {
        String waiting = text("/queues/mails/tasks", Map.of("from", "0s"));
        assertThat(waiting).contains("<b>0 tasks</b>", "name=\"from\" value=\"\"");

        String dead = text("/queues/mails/tasks", Map.of("from", "0s", "state", "dead"));
        assertThat(dead).contains("name=\"from\" value=\"0s\"", "<b>0 tasks</b>");
    }

    @Test
    void exportWhenFourAreCreatedIsRefusedUntilOneEndsOrBreaksOff() {
        schedule("a");
        List<Chunks> four = IntStream.range(0, 4).mapToObj(i -> export()).toList();
        assertThat(get("/queues/mails/tasks.csv", Map.of()).status()).isEqualTo(429);

        four.get(0).chunks().forEachRemaining(piece -> {});
        four.get(0).chunks().close();
        export();
        assertThat(get("/queues/mails/tasks.csv", Map.of()).status()).isEqualTo(429);

        four.get(1).chunks().close();
        assertThat(export().chunks().next()).contains("\"a\"");
        assertThat(get("/queues/mails/tasks.csv", Map.of()).status()).isEqualTo(429);
    }

    /** An operator would look for a process that does not run. */
    @Test
    void queueWhenTheNotesOfProcessesCannotBeReadSaysSo() {
        assertThat(text("/queues/mails", Map.of())).contains("No process has reported for this queue yet");

        queues.damageNotes();

        assertThat(text("/queues/mails", Map.of()))
                .contains("The status reports of the processes could not be read: ")
                .doesNotContain("No process has reported");
    }

    /** The file would seem to be complete if it ended without an error. */
    @Test
    void exportWhenTheConsoleIsClosedFailsBeforeItsNextPage() {
        queues.template()
                .scheduleAll(IntStream.range(0, 501)
                        .mapToObj(i -> requestTo("mails", "a" + i, "x", Duration.ofHours(1)))
                        .toList());
        Chunks file = export();
        Chunks other = export();
        assertThat(file.chunks().next()).contains("\"a0\"");

        console.close();

        assertThat(file.chunks().next()).startsWith("\"mails\"");
        assertThatExceptionOfType(DelayQueueException.class)
                .isThrownBy(() -> other.chunks().next())
                .withMessageContaining("The application is stopping");
    }

    private Chunks export() {
        return (Chunks) get("/queues/mails/tasks.csv", Map.of());
    }

    /** A queue of many dead tasks would seem to have none. */
    @Test
    void queueWhenItsFailuresCannotBeCountedSaysSo() {
        makeDead(1);
        await().untilAsserted(() -> assertThat(text("/queues/mails", Map.of()))
                .contains("1 dead task")
                .doesNotContain("Not counted"));

        List<Thread> two = IntStream.range(0, 2)
                .mapToObj(i -> new Thread(
                        searchers, () -> control.deadReasons(Caller.of(() -> "ann", role -> true), "mails"), "search"))
                .toList();
        two.forEach(Thread::start);
        await().until(() -> two.stream().allMatch(thread -> thread.getState() == Thread.State.WAITING));

        assertThat(text("/queues/mails", Map.of()))
                .contains("Not counted: too many searches")
                .doesNotContain("No dead tasks");
    }

    private void makeDead(int tasks) {
        ScanTrigger trigger = new ScanTrigger("mails") {
            @Override
            protected TaskDestination createDestination() {
                return deliveries ->
                        deliveries.forEach(delivery -> delivery.settle(Outcome.dead("no mail " + delivery.id())));
            }
        };
        trigger.setBeanFactory(TestBeans.of(queues.triggerContext()));
        for (int i = 0; i < tasks; i++) {
            queues.template()
                    .schedule(ScheduleRequest.to("mails")
                            .id("dead-" + i)
                            .payload("x")
                            .dueAt(Instant.EPOCH)
                            .build());
        }
        assertThat(trigger.scanOnce(tasks)).isEqualTo(tasks);
        await().until(() -> queues.admin().stats("mails").dead() == tasks);
        trigger.destroy();
    }
}
