// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.console;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayqueue.ScheduleRequest;
import io.delayqueue.control.AuditListener;
import io.delayqueue.control.Caller;
import io.delayqueue.control.QueuePermission;
import io.delayqueue.internal.console.request.ConsoleRequest;
import io.delayqueue.internal.console.request.ConsoleRequest.Origin;
import io.delayqueue.internal.control.QueueControl;
import io.delayqueue.internal.queue.QueueCatalog;
import io.delayqueue.internal.queue.QueueSettings;
import io.delayqueue.internal.queue.QueueSettingsBuilder;
import io.delayqueue.internal.store.Shard;
import io.delayqueue.trigger.TestQueues;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Changes by forms. The clock of Redis stands still at noon, and that of the process is ten minutes fast. */
class ChangesIntegrationTests {

    private static final Instant NOON = Instant.parse("2030-01-01T12:00:00Z");

    private final QueueSettings settings = QueueSettingsBuilder.of("mails").build();
    private final TestQueues queues = new TestQueues(() -> NOON, settings);
    private AuditListener listener = entry -> {};
    private final QueueControl control = new QueueControl(
            queues.admin(),
            queues.template(),
            (caller, queue) -> Set.of(QueuePermission.READ, QueuePermission.OPERATE),
            null,
            List.of(entry -> listener.onChange(entry)),
            queues.store(),
            List::of,
            Map::of,
            null);
    private final Console console = new Console(
            control, new QueueCatalog(List.of(settings)), new Installation("shop", null, "/delayqueue", null));

    @AfterEach
    void close() {
        control.close();
        queues.close();
    }

    private ConsoleAnswer post(String action, Map<String, String> fields) {
        return console.answer(new ConsoleRequest(
                "POST",
                "/queues/mails/" + action,
                fields,
                Caller.of(() -> "ann", role -> true),
                "/delayqueue",
                Map::of,
                new Origin("same-origin", null, "localhost"),
                NOON.plus(Duration.ofMinutes(10))));
    }

    @ParameterizedTest
    @ValueSource(strings = {"pause", "deliver", "reschedule"})
    void changeWhenItsResultCannotBeReadIsReportedAsMade(String action) {
        queues.template()
                .schedule(ScheduleRequest.to("mails")
                        .id("m")
                        .payload("x")
                        .dueAt(NOON.plusSeconds(60))
                        .build());
        listener = entry -> queues.damage(new Shard("mails", 0), "leases");

        ConsoleAnswer answer = post(
                action,
                switch (action) {
                    case "pause" -> Map.of("for", "10m");
                    case "deliver" -> Map.of("id", "m");
                    default -> Map.of("id", "m", "by", "1h");
                });

        assertThat(answer.status()).isEqualTo(303);
        assertThat(answer.headers().get("Location")).contains("done=" + action);
    }

    @Test
    void pauseWhenOnlyItsReasonIsChangedKeepsItsEnd() {
        queues.admin().pause("mails", "ann", "deploy", Duration.ofHours(1));

        assertThat(post("pause", Map.of("for", "keep", "reason", "longer")).status())
                .isEqualTo(303);

        assertThat(queues.admin().stats("mails").pause())
                .hasValueSatisfying(pause -> assertThat(pause.reason()).isEqualTo("longer"))
                .hasValueSatisfying(pause -> assertThat(pause.until()).isEqualTo(NOON.plus(Duration.ofHours(1))));
    }
}
