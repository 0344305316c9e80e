// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.guide.retries;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.delayqueue.DelayQueueOperations;
import io.delayqueue.ScheduleRequest;
import io.delayqueue.TaskState;
import io.delayqueue.admin.DelayQueueAdmin;
import io.delayqueue.guide.GuideTest;
import io.delayqueue.handler.RetrySettings;
import io.delayqueue.internal.queue.QueueCatalog;
import java.time.Duration;
import java.time.Instant;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;

@GuideTest
class RetriesIntegrationTests {

    @Autowired
    private DelayQueueOperations delayQueue;

    @Autowired
    private DelayQueueAdmin admin;

    @Autowired
    private QueueCatalog queues;

    @Autowired
    private Tax tax;

    @Autowired
    private DeadInvoices dead;

    @Test
    void invoiceWhenItCannotSucceedIsDeadAtOnceAndRedrivenWhenMended() {
        tax.answers.put("i-1", Tax.Answer.UNKNOWN_NUMBER);
        schedule("i-1");
        await().until(() -> dead.alarms.stream().anyMatch(event -> event.id().equals("i-1")));
        assertThat(delayQueue.find("invoices", "i-1").orElseThrow().state()).isEqualTo(TaskState.DEAD);
        tax.answers.remove("i-1");
        assertThat(admin.redrive("invoices", "i-1")).isTrue();
        await().until(() -> delayQueue.find("invoices", "i-1").isEmpty());
        assertThat(tax.reports).containsEntry("i-1", 2);
    }

    @Test
    void invoiceWhenTheOfficeIsClosedComesInAnHourAndLosesNoAttempt() {
        tax.answers.put("i-2", Tax.Answer.CLOSED);
        schedule("i-2");
        await().until(() -> delayQueue
                .find("invoices", "i-2")
                .filter(task -> task.nextAttentionAt().isAfter(Instant.now().plus(Duration.ofMinutes(50))))
                .isPresent());
        assertThat(delayQueue.find("invoices", "i-2").orElseThrow().failures()).isZero();
    }

    @Test
    void invoiceWhenTheOfficeIsBrokenIsTriedAgainLater() {
        tax.answers.put("i-3", Tax.Answer.BROKEN);
        schedule("i-3");
        await().until(() -> delayQueue
                .find("invoices", "i-3")
                .filter(task -> task.failures() == 1 && task.state() == TaskState.SCHEDULED)
                .isPresent());
        assertThat(delayQueue.find("invoices", "i-3").orElseThrow().lastReason().orElseThrow())
                .contains("IllegalStateException", "nonsense");
    }

    /** The statements of the pages on the time from the first failure to the last. */
    @Test
    void backOffsTakeAsLongAsThePagesSay() {
        assertThat(sum(RetrySettings.DEFAULT)).isEqualTo(Duration.ofSeconds(4_095 + 23 * 3_600));
        assertThat(sum(queues.get("invoices").retry())).isEqualTo(Duration.ofSeconds(10 + 30 + 90 + 270 + 810));
        Duration webhooks = sum(queues.get("webhooks").retry());
        assertThat(webhooks).isBetween(Duration.ofHours(13), Duration.ofMinutes(13 * 60 + 5));
    }

    private static Duration sum(RetrySettings policy) {
        RetrySettings exact =
                new RetrySettings(policy.maxRetries(), policy.delay(), policy.multiplier(), policy.maxDelay(), 0);
        return IntStream.rangeClosed(1, policy.maxRetries())
                .mapToObj(failures -> exact.delayAfter(failures, RandomGenerator.getDefault()))
                .reduce(Duration.ZERO, Duration::plus);
    }

    private void schedule(String number) {
        delayQueue.schedule(ScheduleRequest.to("invoices")
                .id(number)
                .payload(new Invoice(number))
                .dueIn(Duration.ZERO)
                .build());
    }
}
