// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.guide;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import io.delayqueue.DelayQueueOperations;
import io.delayqueue.ScheduleRequest;
import io.delayqueue.annotation.DelayQueueListener;
import io.delayqueue.test.DelayQueueTest;
import io.delayqueue.test.DelayQueueTestKit;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;

/** The messages of the test kit are those in docs/testing.md, apart from the day and the waiting time. */
@GuidePages("tutorial.md")
@DelayQueueTest(value = KitMessagesIntegrationTests.Handler.class, properties = "delayqueue.test.timeout=2s")
class KitMessagesIntegrationTests {

    /** The pages whose blocks of text are compared here. */
    static final List<String> PAGES = List.of("testing.md");

    private static final Instant NINE = Instant.parse("2026-11-23T09:00:00Z");
    private static final Pattern MOMENT = Pattern.compile("\\d{4}-\\d\\d-\\d\\dT[\\d:.]+Z");

    @Autowired
    private DelayQueueOperations delayQueue;

    @Autowired
    private DelayQueueTestKit kit;

    @Autowired
    private Handler handler;

    @Test
    void pageHasTheTwoMessagesThatAreComparedHere() {
        assertThat(messages()).hasSize(2);
    }

    @Test
    void advanceWhenAHandlerDoesNotEndSaysWhatThePageSays() {
        Instant nine = kit.now();
        schedule("order-7", "never ends", Duration.ofSeconds(1));
        try {
            assertThat(said(nine, () -> kit.advance(Duration.ofMinutes(1))).replace("PT2S", "PT10S"))
                    .isEqualTo(messages().get(0));
        } finally {
            handler.end.countDown();
        }
    }

    @Test
    void assertionWhenItFailsSaysWhatThePageSays() {
        schedule("order-41", "has no route", Duration.ZERO);
        await().until(() -> {
            kit.drain("orders");
            return !kit.deadTasks("orders").isEmpty();
        });
        kit.advance(Duration.ofMinutes(1));
        schedule("order-42", "waits", Duration.ofMinutes(15));
        assertThat(said(kit.now(), () -> assertThat(kit.queue("orders")).hasTask("order-43")))
                .isEqualTo(messages().get(1));
    }

    private void schedule(String id, String payload, Duration delay) {
        delayQueue.schedule(ScheduleRequest.to("orders")
                .id(id)
                .payload(payload)
                .dueIn(delay)
                .build());
    }

    private static List<String> messages() {
        return GuideBook.blocks("../testing.md", "text").stream()
                .map(block -> block.text().strip())
                .toList();
    }

    /** Returns the message of a failing call, with its times shifted so that a given moment is nine o'clock. */
    private static String said(Instant nine, ThrowingCallable call) {
        Duration shift = Duration.between(nine, NINE);
        String[] message = new String[1];
        assertThatExceptionOfType(AssertionError.class)
                .isThrownBy(call)
                .satisfies(error -> message[0] = MOMENT.matcher(error.getMessage())
                        .replaceAll(moment ->
                                Instant.parse(moment.group()).plus(shift).toString()));
        return message[0];
    }

    static final class Handler {

        private final CountDownLatch end = new CountDownLatch(1);

        @DelayQueueListener(queue = "orders")
        void handle(String payload) throws IOException, InterruptedException {
            switch (payload) {
                case "has no route" -> throw new IOException("no route to host");
                case "never ends" -> end.await(1, TimeUnit.MINUTES);
                default -> throw new IllegalArgumentException(payload);
            }
        }
    }
}
