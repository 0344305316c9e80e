// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.delayqueue.ConflictPolicy;
import io.delayqueue.Due;
import io.delayqueue.delivery.TaskContent;
import io.delayqueue.internal.concurrent.Scheduler;
import io.delayqueue.internal.redis.StoreFixture;
import io.delayqueue.internal.sharding.Sharding;
import io.delayqueue.internal.sharding.Shardings;
import io.delayqueue.internal.store.NewTask;
import io.delayqueue.internal.store.Shard;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class UndeliveredWatchIntegrationTests {

    private static final Duration PERIOD = Duration.ofMillis(20);

    private final StoreFixture redis = new StoreFixture();
    private final UndeliveredWatch watch = new UndeliveredWatch(
            redis.store(),
            Shardings.fixed(queue -> Sharding.initial(2)),
            new Scheduler(),
            PERIOD,
            Duration.ofMinutes(5));
    private final ListAppender<ILoggingEvent> log = new ListAppender<>();

    @BeforeEach
    void listen() {
        log.start();
        ((Logger) LoggerFactory.getLogger(UndeliveredWatch.class)).addAppender(log);
    }

    @AfterEach
    void close() {
        ((Logger) LoggerFactory.getLogger(UndeliveredWatch.class)).detachAppender(log);
        watch.close();
        redis.close();
    }

    private void schedule(String queue, String id, Duration overdue) {
        TaskContent content = new TaskContent("text/plain", Map.of(), new byte[0]);
        long due = redis.serverMillis() - overdue.toMillis();
        NewTask task = new NewTask(id, new byte[16], new Due(false, due), ConflictPolicy.REPLACE, content);
        redis.store().tasks().schedule(new Shard(queue, 1), List.of(task)).join();
    }

    private List<String> warnings() {
        return log.list.stream().map(ILoggingEvent::getFormattedMessage).toList();
    }

    @Test
    void lookWhenTasksAreDueThatNobodyDeliversWarnsOnce() {
        schedule("forgotten", "a", Duration.ofMinutes(6));
        schedule("forgotten", "b", Duration.ZERO);
        schedule("punctual", "a", Duration.ofMinutes(4));

        watch.watch(List.of("forgotten", "punctual"));

        await().atMost(Duration.ofSeconds(10)).until(() -> !warnings().isEmpty());
        await().during(PERIOD.multipliedBy(10)).until(() -> warnings().size() == 1);
        assertThat(warnings().get(0)).contains("'forgotten'", "2 tasks are overdue", "36");
    }

    @Test
    void lookWhenTheQueueIsDeliveredHereElsewhereOrPausedIsSilentUntilItNoLongerIs() {
        schedule("here", "a", Duration.ofMinutes(6));
        schedule("elsewhere", "a", Duration.ofMinutes(6));
        schedule("elsewhere", "b", Duration.ofMinutes(6));
        redis.store()
                .leases()
                .acquire(
                        new Shard("elsewhere", 1),
                        new io.delayqueue.internal.store.AcquireRequest(1, Duration.ofMinutes(1), 3, 1 << 20, 1))
                .join();
        schedule("paused", "a", Duration.ofMinutes(6));
        redis.store().shards().pause(new Shard("paused", 0)).join();
        watch.begin("here");

        watch.watch(List.of("here", "elsewhere", "paused"));

        await().during(PERIOD.multipliedBy(10)).until(() -> warnings().isEmpty());
        watch.end("here");
        await().atMost(Duration.ofSeconds(10)).until(() -> !warnings().isEmpty());
        assertThat(warnings()).singleElement().asString().contains("'here'");
    }
}
