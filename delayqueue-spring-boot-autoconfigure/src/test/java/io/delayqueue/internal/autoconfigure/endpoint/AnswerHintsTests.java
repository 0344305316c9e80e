// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.autoconfigure.endpoint;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayqueue.control.OperationView;
import io.delayqueue.internal.control.DueCounts;
import io.delayqueue.internal.control.InstanceView;
import io.delayqueue.internal.control.QueueView;
import io.delayqueue.internal.control.TaskDetails;
import io.delayqueue.internal.control.TaskView;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;

class AnswerHintsTests {

    @Test
    void hintsNameEveryRecordThatIsWrittenAsJson() throws ReflectiveOperationException {
        RuntimeHints hints = new RuntimeHints();
        new AnswerHints().registerHints(hints, null);

        for (Class<?> type : List.of(
                DelayQueueAnswer.Tasks.class,
                DelayQueueAnswer.Refused.class,
                QueueView.class,
                TaskView.class,
                TaskDetails.Payload.class,
                OperationView.class,
                InstanceView.class,
                DueCounts.class)) {
            String first = type.getRecordComponents()[0].getName();
            assertThat(RuntimeHintsPredicates.reflection().onMethodInvocation(type.getMethod(first)))
                    .as(type.getName())
                    .accepts(hints);
        }
    }
}
