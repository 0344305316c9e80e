// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.handler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.delayqueue.FoundTask;
import io.delayqueue.LogLines;
import io.delayqueue.ScheduleRequest;
import io.delayqueue.TaskState;
import io.delayqueue.UpdateOutcome;
import io.delayqueue.annotation.PayloadVersion;
import io.delayqueue.annotation.TaskHeaders;
import io.delayqueue.codec.JacksonPayloadCodec;
import io.delayqueue.codec.PayloadUpgrade;
import io.delayqueue.delivery.TaskQuarantined;
import io.delayqueue.internal.codec.PayloadCodecs;
import io.delayqueue.internal.queue.DeadSettings;
import io.delayqueue.internal.queue.TimingSettings;
import io.delayqueue.internal.redis.wake.RedisWakeSignals;
import io.delayqueue.internal.store.Shard;
import io.delayqueue.trigger.TriggerFixture;
import io.micrometer.observation.ObservationRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.json.JsonMapper;

/** Payloads that another version of the application has stored. */
@Timeout(60)
class PayloadVersionsIntegrationTests {

    private static final String QUEUE = TriggerFixture.QUEUE;
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private final TriggerFixture fixture = new TriggerFixture();
    private final List<RegisteredHandlers> registries = new ArrayList<>();
    private final List<RedisWakeSignals> processes = new ArrayList<>();
    private final List<Object> handled = new CopyOnWriteArrayList<>();

    record OldMail(@JsonProperty(required = true) String to) {}

    @PayloadVersion(2)
    record NewMail(String recipient) {}

    @AfterEach
    void close() {
        registries.forEach(RegisteredHandlers::stop);
        fixture.close();
        processes.forEach(RedisWakeSignals::close);
    }

    private static ScheduleRequest.Builder<Object> request(String id, Object payload) {
        return ScheduleRequest.to(QUEUE).id(id).payload(payload).dueIn(Duration.ZERO);
    }

    private void schedule(String id, Object payload) {
        fixture.template().schedule(request(id, payload).build());
    }

    /** A process that has an own place among those of the queue. */
    private <T> void handle(Class<T> type, PayloadUpgrade... upgrades) {
        RedisWakeSignals process = fixture.redis.wakeSignals(Duration.ofSeconds(1));
        processes.add(process);
        fixture.wakeSignals = process;
        PayloadCodecs codecs = new PayloadCodecs(List.of(new JacksonPayloadCodec(new JsonMapper())), List.of(upgrades));
        RegisteredHandlers registry = new RegisteredHandlers(
                fixture.context(), new DelayedTasks(codecs), ObservationRegistry.NOOP, FailurePolicy.DEFAULT);
        registries.add(registry);
        registry.start();
        registry.register(QUEUE, type, task -> handled.add(task.payload()));
    }

    private FoundTask<?> found(String id) {
        return fixture.template().find(QUEUE, id, Map.class).orElseThrow();
    }

    @Test
    void taskWhenItsVersionIsOlderIsUpgradedBeforeItIsDecoded() {
        schedule("a", new OldMail("ada"));
        assertThat(found("a").headers()).doesNotContainKey(TaskHeaders.VERSION);

        handle(NewMail.class, new PayloadUpgrade(NewMail.class, 1, fields -> {
            fields.put("recipient", fields.remove("to"));
            return fields;
        }));

        await().atMost(PATIENCE).until(() -> !handled.isEmpty());
        assertThat(handled).containsExactly(new NewMail("ada"));
    }

    @Test
    void taskWhenItsVersionIsNewerIsGivenBackWithoutAnAttemptForAProcessThatKnowsIt() {
        fixture.maxIdleInterval = Duration.ofMinutes(1);
        try (LogLines log = new LogLines()) {
            handle(OldMail.class);
            schedule("a", new NewMail("ada"));

            await().atMost(PATIENCE).until(() -> found("a").lastReason().isPresent());
            FoundTask<?> given = found("a");
            assertThat(given.headers()).containsEntry(TaskHeaders.VERSION, "2");
            assertThat(given.state()).isEqualTo(TaskState.SCHEDULED);
            assertThat(given.failures()).isZero();
            assertThat(given.failedAttempts()).isEmpty();
            assertThat(given.nextAttentionAt()).isAfter(given.dueAt().plusMillis(900));
            assertThat(log.all())
                    .filteredOn(line -> line.contains("newer version"))
                    .hasSize(1);
        }

        handle(NewMail.class);

        await().atMost(PATIENCE).until(() -> handled.contains(new NewMail("ada")));
        assertThat(handled).hasSize(1);
    }

    @Test
    void tasksWhenAProcessThatKnowsThemIsThereComeToItFirst() {
        fixture.maxIdleInterval = Duration.ofMinutes(1);
        handle(OldMail.class);
        schedule("first", new NewMail("first"));
        await().atMost(PATIENCE).until(() -> found("first").lastReason().isPresent());
        handle(NewMail.class);
        await().atMost(PATIENCE).until(() -> handled.contains(new NewMail("first")));

        for (int i = 0; i < 20; i++) {
            String id = "t" + i;
            schedule(id, new NewMail(id));
            await().atMost(Duration.ofMillis(900)).until(() -> handled.contains(new NewMail(id)));
        }
    }

    @Test
    void taskWhenItsPayloadCannotBeReadIsQuarantinedAndNeitherExpiryNorBoundsDropIt() {
        fixture.dead = new DeadSettings(Duration.ofMillis(1), 0, DeadSettings.Keep.NONE);
        fixture.timing = new TimingSettings(Duration.ofSeconds(30), TimingSettings.Expired.DELETE, null, Map.of());
        fixture.maxAttempts = 100;
        schedule("a", Map.of("recipient", "s3cr3t"));

        handle(OldMail.class);

        await().atMost(PATIENCE).until(() -> found("a").state() == TaskState.DEAD);
        assertThat(found("a").lastReason().orElseThrow())
                .contains("UnreadablePayloadException", "property 'to'")
                .doesNotContain("s3cr3t");
        await().atMost(PATIENCE).until(() -> fixture.deaths.stream().anyMatch(TaskQuarantined.class::isInstance));
        assertThat(fixture.redis
                        .store()
                        .shards()
                        .stats(new Shard(QUEUE, 0))
                        .join()
                        .droppable())
                .isZero();
        assertThat(fixture.redis.admin(fixture.queues()).redrive(QUEUE, "a")).isTrue();
        await().atMost(PATIENCE).until(() -> found("a").state() == TaskState.DEAD);
    }

    @Test
    void updatePayloadWhenTheNewOneHasAnotherVersionReplacesTheHeader() {
        fixture.template()
                .schedule(request("a", new NewMail("ada"))
                        .dueIn(Duration.ofHours(1))
                        .build());

        assertThat(fixture.template().updatePayload(QUEUE, "a", new OldMail("bob")))
                .isEqualTo(UpdateOutcome.UPDATED);
        assertThat(found("a").headers()).isEmpty();
        assertThat(fixture.template().updatePayload(QUEUE, "a", new NewMail("eve")))
                .isEqualTo(UpdateOutcome.UPDATED);
        assertThat(found("a").headers()).isEqualTo(Map.of(TaskHeaders.VERSION, "2"));
        assertThat(fixture.template().update(QUEUE, "a", null, Map.of("tenant", "red")))
                .isEqualTo(UpdateOutcome.UPDATED);
        assertThat(found("a").headers()).isEqualTo(Map.of(TaskHeaders.VERSION, "2", "tenant", "red"));
    }
}
