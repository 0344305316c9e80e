// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.trigger;

import static io.delayqueue.TestRequests.requestTo;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delayqueue.delivery.TaskDestination;
import io.delayqueue.internal.client.DelayQueueTemplate;
import io.delayqueue.internal.engine.CollectingDestination;
import io.delayqueue.internal.trigger.TriggerContext;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ManyQueuesIntegrationTests {

    private static final int QUEUES = 500;

    @Test
    void startWhenQueuesAreManyNeedsFewThreads() {
        List<String> names =
                IntStream.range(0, QUEUES).mapToObj(i -> "queue" + i).toList();
        List<ScanTrigger> triggers = new ArrayList<>();
        CollectingDestination destination = CollectingDestination.acknowledging();
        try (TriggerFixture fixture = new TriggerFixture()) {
            fixture.moreQueues = names;
            TriggerContext context = fixture.context();
            DelayQueueTemplate template = fixture.template();
            int before = Thread.activeCount();
            for (String name : names) {
                ScanTrigger trigger = new ScanTrigger(name) {
                    @Override
                    protected TaskDestination createDestination() {
                        return destination;
                    }
                };
                trigger.setBeanFactory(TestBeans.of(context));
                trigger.start();
                triggers.add(trigger);
            }
            int most = 0;
            for (String name : names) {
                template.schedule(requestTo(name, "x", Duration.ofMillis(100)));
                most = Math.max(most, Thread.activeCount() - before);
            }
            await().atMost(Duration.ofSeconds(30)).until(() -> destination.ids().size() == QUEUES);
            assertThat(most).isLessThan(100);
        } finally {
            triggers.forEach(ScanTrigger::destroy);
        }
    }
}
