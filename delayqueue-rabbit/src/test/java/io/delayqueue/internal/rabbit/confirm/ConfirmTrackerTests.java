// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.rabbit.confirm;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayqueue.internal.rabbit.confirm.BatchAnswers.Answer;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
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
