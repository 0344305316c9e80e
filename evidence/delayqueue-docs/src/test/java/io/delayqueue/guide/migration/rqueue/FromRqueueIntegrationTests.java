// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.guide.migration.rqueue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delayqueue.DelayQueueOperations;
import io.delayqueue.Due;
import io.delayqueue.guide.GuideTest;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;

@GuideTest
class FromRqueueIntegrationTests {

    @Autowired
    private Mails mails;

    @Autowired
    private DelayQueueOperations delayQueue;

    @Test
    void mailWhenDueIsSentUnlessRecalled() {
        mails.sendLater("recalled", new Mail("ada", "oops"));
        mails.recall("recalled");
        assertThat(delayQueue.find("mails", "recalled")).isEmpty();
        mails.sendLater("sent", new Mail("ada", "hello"));
        delayQueue.reschedule("mails", "sent", Due.now());
        await().until(() -> mails.sent.contains(new Mail("ada", "hello")));
    }
}
