// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.endpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delayqueue.ConflictPolicy;
import io.delayqueue.Due;
import io.delayqueue.TaskContent;
import io.delayqueue.internal.store.NewTask;
import io.delayqueue.internal.store.NotedQueue;
import io.delayqueue.internal.store.QueueNoteStore;
import io.delayqueue.internal.store.Shard;
import io.delayqueue.internal.store.StoreCalls;
import io.delayqueue.internal.store.TaskStore;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.test.context.TestPropertySource;
import tools.jackson.databind.JsonNode;

/**
 * An application beside processes with other settings. Takes two minutes, because the application compares each minute.
 */
@Tag("long")
@TestPropertySource(
        properties = {
            "spring.application.name=shop",
            "delayqueue.health.expected-differences=mails,archive",
            "management.endpoints.web.exposure.include=delayqueue,health"
        })
class QueueProblemsIntegrationTests extends EndpointScene {

    private static final Duration SILENCE = Duration.ofSeconds(150);

    @Autowired
    private TaskStore store;

    @Autowired
    private HealthIndicator delayqueueHealthContributor;

    private static NotedQueue noted(String queue, boolean delivers, String settings) {
        return new NotedQueue(queue, delivers, settings, "4711@old", true);
    }

    /** Stores a queue that this application does not configure. */
    private void store(String queue) {
        TaskContent content = new TaskContent("text/plain", Map.of(), new byte[0]);
        StoreCalls.schedule(
                        store,
                        new Shard(queue, 0),
                        List.of(new NewTask(
                                "a",
                                new byte[16],
                                new Due(false, FAR.toEpochMilli()),
                                ConflictPolicy.KEEP,
                                content,
                                0)))
                .join();
    }

    @Test
    void problemsWhenAnotherProcessDiffersAndAQueueWasRemovedAreShownAndAreNoOutage() {
        store("removed");
        store("archive");
        List<NotedQueue> others = List.of(
                noted("orders", true, "30000 2 limits:none shop exchange 'old'"),
                noted("mails", true, "99000 3 limits:none old exchange 'old'"),
                noted("removed", false, "30000 1 limits:none shop none"),
                noted("archive", false, "30000 1 limits:none shop none"));

        JsonNode problems = await().atMost(Duration.ofMinutes(4))
                .pollInterval(Duration.ofSeconds(5))
                .until(
                        () -> {
                            store.queueNotes()
                                    .note("4711@old", QueueNoteStore.Kind.QUEUES, others, SILENCE)
                                    .join();
                            return get("").json().path("problems");
                        },
                        found -> found.has("orders"));

        assertThat(problems.propertyNames()).containsExactlyInAnyOrder("orders", "removed");
        assertThat(problems.get("removed").asString())
                .startsWith("it holds tasks (1), but no live process delivers it.");
        assertThat(problems.get("orders").asString())
                .startsWith("its processes differ in destination: exchange 'old' (4711@old), handler (");
        Health health = delayqueueHealthContributor.health();
        assertThat(health.getStatus()).isEqualTo(Status.UP);
        assertThat(health.getDetails().get("differences"))
                .isEqualTo(Map.of(
                        "orders", problems.get("orders").asString(),
                        "removed", problems.get("removed").asString()));
        assertThat(call("GET", "", null, "stranger").json().has("problems")).isFalse();
    }
}
