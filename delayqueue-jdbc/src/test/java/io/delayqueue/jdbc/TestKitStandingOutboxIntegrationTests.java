// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.jdbc;

import static io.delayqueue.TestRequests.requestTo;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.delayqueue.DelayQueueOperations;
import io.delayqueue.TransactionMode;
import io.delayqueue.test.DelayQueueTest;
import io.delayqueue.test.DelayQueueTestKit;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.transaction.autoconfigure.TransactionAutoConfiguration;
import org.springframework.transaction.support.TransactionTemplate;

/** The test kit without a relay for committed operations. */
@DelayQueueTest(
        queues = "orders",
        reset = false,
        properties = {
            "spring.datasource.url=jdbc:h2:mem:still;DB_CLOSE_DELAY=-1",
            "delayqueue.jdbc.initialize-schema=always",
            "delayqueue.jdbc.relay.enabled=false",
            "delayqueue.test.timeout=1s"
        })
@ImportAutoConfiguration({
    DataSourceAutoConfiguration.class,
    DataSourceTransactionManagerAutoConfiguration.class,
    TransactionAutoConfiguration.class
})
class TestKitStandingOutboxIntegrationTests {

    private static final String LEFT = "the outbox has changes to 1 task(s) that have not reached Redis";

    @Test
    void callsWhenTheOutboxStandsStillSayWhatHasNotReachedRedis(
            @Autowired DelayQueueTestKit kit,
            @Autowired DelayQueueOperations tasks,
            @Autowired TransactionTemplate transaction) {
        transaction.executeWithoutResult(status -> tasks.inTransaction(TransactionMode.OUTBOX)
                .schedule(requestTo("orders", "order-1", "", Duration.ofSeconds(1))));
        assertThatExceptionOfType(AssertionError.class)
                .isThrownBy(() -> kit.advance(Duration.ofMinutes(1)))
                .withMessageContaining(LEFT);
        assertThatExceptionOfType(AssertionError.class)
                .isThrownBy(() -> assertThat(kit.queue("orders")).hasNoTasks())
                .withMessageContaining(LEFT);
    }

    @SpringBootConfiguration
    static class Application {}
}
