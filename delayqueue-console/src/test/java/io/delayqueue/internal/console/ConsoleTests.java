// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.console;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayqueue.ScheduleRequest;
import io.delayqueue.control.Caller;
import io.delayqueue.control.QueueControl;
import io.delayqueue.control.QueuePermission;
import io.delayqueue.internal.console.ConsoleAnswer.Chunks;
import io.delayqueue.internal.console.ConsoleAnswer.Events;
import io.delayqueue.internal.console.ConsoleAnswer.Whole;
import io.delayqueue.internal.console.request.ConsoleRequest;
import io.delayqueue.internal.console.request.ConsoleRequest.Origin;
import io.delayqueue.queue.QueueSettings;
import io.delayqueue.test.memory.InMemoryDelayQueues;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The console without a web framework, on queues in memory. */
class ConsoleTests {

    private final InMemoryDelayQueues queues = new InMemoryDelayQueues(
            QueueSettings.withDefaults("mails").toBuilder().history(10).build());
    private final QueueControl control = new QueueControl(
            queues.admin(), queues.template(), (caller, queue) -> Set.of(QueuePermission.READ), null, List.of());
    private final Console console = new Console(control, null, InstantSource.system());

    @AfterEach
    void close() {
        control.close();
        queues.close();
    }

    private ConsoleAnswer get(String path, boolean wantsEvents, Map<String, String> parameters) {
        return console.answer(new ConsoleRequest(
                "GET",
                path,
                parameters,
                Caller.of(() -> "ann", role -> true),
                "/delayqueue",
                null,
                new Origin(null, null, "localhost"),
                wantsEvents));
    }

    private String text(Map<String, String> parameters) {
        return new String(((Whole) get("/queues/mails/task", false, parameters)).body(), StandardCharsets.UTF_8);
    }

    private void schedule(String id) {
        queues.template()
                .schedule(ScheduleRequest.to("mails")
                        .id(id)
                        .payload("x")
                        .delay(Duration.ofHours(1))
                        .build());
    }

    @Test
    void exportWhenFourAreMadeAlreadyIsRefusedUntilOneHasEnded() {
        List<Chunks> made = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            made.add((Chunks) get("/queues/mails/tasks.csv", false, Map.of()));
        }
        assertThat(get("/queues/mails/tasks.csv", false, Map.of()).status()).isEqualTo(429);

        made.get(1).ended().run();
        made.get(1).ended().run();

        assertThat(get("/queues/mails/tasks.json", false, Map.of()).status()).isEqualTo(200);
        assertThat(get("/queues/mails/tasks.json", false, Map.of()).status()).isEqualTo(429);
    }

    @Test
    void exportWhenItIsRefusedTakesNoPlace() {
        for (int i = 0; i < 5; i++) {
            assertThat(get("/queues/none/tasks.csv", false, Map.of()).status()).isEqualTo(404);
        }

        assertThat(get("/queues/mails/tasks.csv", false, Map.of()).status()).isEqualTo(200);
    }

    @Test
    void eventsWhenNothingChangesHaveAHeartbeatAndAskProxiesNotToHoldThemBack() {
        Events events = (Events) get("/queues/mails", true, Map.of());

        assertThat(events.headers()).containsEntry("X-Accel-Buffering", "no");
        assertThat(events.events().next()).containsKeys("queue-figures", "heartbeat");
        assertThat(events.events().next()).containsKey("heartbeat");
    }

    @Test
    void historyWhenAPageIsOnlyRenewedIsNotRead() {
        schedule("a");
        queues.template().cancel("mails", "a");

        assertThat(text(Map.of("id", "a"))).contains("<h2>History</h2>", "cancelled");
        assertThat(text(Map.of("id", "a", "renewal", "true"))).doesNotContain("<h2>History</h2>");
    }
}
