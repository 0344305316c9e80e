// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.guide.payloads;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.delayqueue.DelayQueueOperations;
import io.delayqueue.PayloadConversionException;
import io.delayqueue.ScheduleRequest;
import io.delayqueue.guide.GuideTest;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;

/** The statements of the page about payloads on fields that an older class has written, without versions. */
@GuideTest
class PayloadChangesIntegrationTests {

    @Autowired
    private DelayQueueOperations delayQueue;

    record NewMail(String to, String subject, Integer priority) {}

    record PrimitiveMail(String to, int priority) {}

    @Test
    void payloadWhenItHasFewerAndOtherFieldsIsReadIfNoneIsPrimitive() {
        delayQueue.schedule(ScheduleRequest.to("mails")
                .id("old-mail")
                .payload(Map.of("to", "ada", "text", "a field that is gone"))
                .dueIn(Duration.ofHours(1))
                .build());
        assertThat(delayQueue
                        .find("mails", "old-mail", NewMail.class)
                        .orElseThrow()
                        .payload())
                .isEqualTo(new NewMail("ada", null, null));
        assertThatThrownBy(() -> delayQueue.find("mails", "old-mail", PrimitiveMail.class))
                .isInstanceOf(PayloadConversionException.class);
    }
}
