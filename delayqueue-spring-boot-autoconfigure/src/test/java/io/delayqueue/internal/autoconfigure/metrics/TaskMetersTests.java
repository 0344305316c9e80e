// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.autoconfigure.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayqueue.internal.queue.QueueCatalog;
import io.delayqueue.internal.queue.QueueSettingsBuilder;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.List;
import org.junit.jupiter.api.Test;

class TaskMetersTests {

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

    private double trimmed(String queue) {
        return registry.get("delayqueue.tasks.trimmed")
                .tag("queue", queue)
                .functionCounter()
                .count();
    }

    @Test
    void trimmedWhenDeadTasksAreDeletedCountsThemForTheirQueue() {
        TaskMeters meters = new TaskMeters(new QueueCatalog(
                List.of(QueueSettingsBuilder.withDefaults("orders"), QueueSettingsBuilder.withDefaults("mails"))));
        meters.bindTo(registry);
        assertThat(trimmed("orders")).isZero();

        meters.trimmed("orders", 3);
        meters.quarantined("orders", 1);
        meters.trimmed("unknown", 1);

        assertThat(trimmed("orders")).isEqualTo(3);
        assertThat(trimmed("mails")).isZero();
    }
}
