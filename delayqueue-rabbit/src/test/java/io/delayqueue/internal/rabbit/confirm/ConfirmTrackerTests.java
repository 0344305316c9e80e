// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.rabbit.confirm;

import static org.assertj.core.api.Assertions.assertThat;

import com.rabbitmq.client.AMQP;
import io.delayqueue.TaskContent;
import io.delayqueue.delivery.OpenDelivery;
import io.delayqueue.internal.rabbit.confirm.BatchAnswers.Answer;
import io.delayqueue.rabbit.RabbitAddress;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ConfirmTrackerTests {

    private static final List<Outgoing> FOUR = new ArrayList<>(Collections.nCopies(4, null));

    private final ConfirmTracker tracker = new ConfirmTracker(FOUR, 101);

    @Test
    void confirmedWhenTheTagIsOfAnotherBatchIsIgnored() {
        publish(4);
        tracker.confirmed(100, true, true);
        tracker.confirmed(105, true, true);

        assertThat(answers()).containsOnly(Answer.NONE);
    }

    @Test
    void leavesChannelReusableWhenTheBrokerNackedOneSaysNo() {
        publish(2);
        tracker.confirmed(101, false, false);
        tracker.confirmed(102, false, true);

        assertThat(tracker.leavesChannelReusable()).isFalse();
    }

    @Test
    void awaitWhenTheChannelEndsReturnsAtOnceAndTheFirstCauseCounts() throws Exception {
        publish(3);
        tracker.notPublished(2);
        IOException cause = new IOException("first");
        tracker.end(cause);
        tracker.end(new IOException("second"));
        tracker.await(Duration.ofDays(1));

        assertThat(tracker.end()).isSameAs(cause);
        assertThat(answers()).containsExactly(Answer.NONE, Answer.NONE, Answer.NOT_PUBLISHED, Answer.NOT_PUBLISHED);
    }

    @Test
    void answersWhenTheChannelEndsAfterwardsStayWhatTheyWere() {
        publish(4);
        tracker.confirmed(101, false, true);
        BatchAnswers answers = tracker.answers();

        tracker.confirmed(102, false, true);
        tracker.end(new IOException("clean channel shutdown"));

        assertThat(answers.end()).isNull();
        assertThat(answers.messages())
                .extracting(BatchAnswers.Message::answer)
                .containsExactly(Answer.ACK, Answer.NONE, Answer.NONE, Answer.NONE);
    }

    /** Brokers may add headers, for example the time, and leave out an empty table. */
    @Test
    void returnedWhenTheBrokerHasChangedTheHeadersMarksTheMessageThatIsMostAlike() {
        RabbitAddress address = new RabbitAddress("due", "key");
        ConfirmTracker own = new ConfirmTracker(
                List.of(
                        message(address, "a", Map.of()),
                        message(address, "a", Map.of("n", 1)),
                        message(address, "a", Map.of("n", 2)),
                        message(address, "b", Map.of()),
                        message(address, "c", Map.of("n", 1))),
                1);
        IntStream.range(0, 5).forEach(own::publishing);

        own.returned(address, properties(Map.of("n", 2, "timestamp_in_ms", 5)), body("a"), "NO_ROUTE");
        own.returned(address, properties(null), body("b"), "NO_ROUTE");
        own.returned(address, properties(Map.of("m", 1)), body("c"), "NO_ROUTE");
        own.returned(address, properties(null), body("d"), "NO_ROUTE");
        own.confirmed(5, true, true);

        assertThat(own.answers().messages())
                .extracting(BatchAnswers.Message::answer)
                .containsExactly(Answer.ACK, Answer.ACK, Answer.RETURNED, Answer.RETURNED, Answer.RETURNED);
    }

    private static byte[] body(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static AMQP.BasicProperties properties(Map<String, Object> headers) {
        return new AMQP.BasicProperties.Builder().headers(headers).build();
    }

    private static Outgoing message(RabbitAddress address, String body, Map<String, Object> headers) {
        TaskContent content = new TaskContent("text/plain", Map.of(), body(body));
        OpenDelivery delivery = (OpenDelivery) Proxy.newProxyInstance(
                ConfirmTrackerTests.class.getClassLoader(),
                new Class<?>[] {OpenDelivery.class},
                (proxy, method, arguments) -> switch (method.getName()) {
                    case "content" -> content;
                    case "toString" -> body;
                    default -> throw new UnsupportedOperationException(method.getName());
                });
        return new Outgoing(delivery, address, properties(headers));
    }

    private void publish(int count) {
        for (int i = 0; i < count; i++) {
            tracker.publishing(i);
        }
        tracker.sealed(true);
    }

    private List<Answer> answers() {
        return tracker.answers().messages().stream()
                .map(BatchAnswers.Message::answer)
                .toList();
    }
}
