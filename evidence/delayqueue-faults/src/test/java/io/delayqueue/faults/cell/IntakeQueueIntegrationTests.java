// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.cell;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import io.delayqueue.faults.history.Entry;
import io.delayqueue.faults.history.Event;
import io.delayqueue.faults.history.Event.Answer;
import io.delayqueue.faults.history.Histories;
import io.delayqueue.faults.history.HistoryWriter;
import io.delayqueue.faults.load.PublishedCalls;
import io.delayqueue.test.server.RabbitServer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A call through an intake counts as executed when the broker has shown that the intake's queue is empty. */
class IntakeQueueIntegrationTests {

    private static final String QUEUE = "load.intake";
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    /** Older than any count that a look may return. */
    private static final long CONFIRMED_AGO = TimeUnit.SECONDS.toMicros(60);

    @TempDir
    private Path folder;

    @Test
    void completeWhenTheQueueIsEmptyRecordsTheEndOfALook() throws Exception {
        try (RabbitServer rabbit = RabbitServer.installed().start()) {
            declared(rabbit, 0);
            confirmed();
            try (IntakeQueue queue = new IntakeQueue(rabbit)) {
                CompletableFuture<Boolean> look = CompletableFuture.supplyAsync(queue::isEmpty);
                TimeUnit.MILLISECONDS.sleep(50); // a look takes the start of a virtual machine
                long during = HistoryWriter.micros();
                assertThat(look).isNotDone();
                assertThat(look).succeedsWithin(PATIENCE).isEqualTo(true);
                queue.complete(folder);
                assertThat(executed().micros()).isGreaterThan(during);
            }
        }
    }

    @Test
    void completeWhenAMessageIsLeftRecordsTheTimeAfterIt() throws Exception {
        try (RabbitServer rabbit = RabbitServer.installed().start()) {
            declared(rabbit, 1);
            confirmed();
            try (IntakeQueue queue = new IntakeQueue(rabbit)) {
                assertThat(queue.isEmpty()).isFalse();
                assertThat(queue.leftOver()).anyMatch(line -> line.contains(QUEUE + " has 1 messages"));
                long taken = HistoryWriter.micros();
                rabbit.ctl("purge_queue", QUEUE);
                await().atMost(PATIENCE).until(queue::isEmpty);
                queue.complete(folder);
                assertThat(executed().micros()).isGreaterThan(taken);
            }
        }
    }

    private static void declared(RabbitServer rabbit, int messages) throws Exception {
        ConnectionFactory factory = new ConnectionFactory();
        factory.setUri(rabbit.uri());
        try (Connection connection = factory.newConnection();
                Channel channel = connection.createChannel()) {
            channel.queueDeclare(QUEUE, true, false, false, Map.of());
            channel.confirmSelect();
            for (int i = 0; i < messages; i++) {
                channel.basicPublish("", QUEUE, null, new byte[0]);
            }
            channel.waitForConfirmsOrDie(PATIENCE.toMillis());
        }
    }

    /** Adds the history of an application whose message the broker confirmed a while ago. */
    private void confirmed() {
        Event event = new Event.Answered(7, Answer.OK, PublishedCalls.CONFIRMED, null, null, null);
        Histories.add(folder, "a", List.of(new Entry("a", 1, HistoryWriter.micros() - CONFIRMED_AGO, 0, event)));
    }

    /** Returns the entry that {@link IntakeQueue#complete} has added. */
    private Entry executed() {
        List<Entry> entries = Histories.read(folder);
        assertThat(entries).hasSize(2);
        Entry entry = entries.get(1);
        assertThat(entry.event()).isEqualTo(new Event.Answered(7, Answer.OK, "COMMITTED", null, null, null));
        return entry;
    }
}
