// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.jdbc;

import static io.delayqueue.TestRequests.requestTo;
import static org.assertj.core.api.Assertions.assertThat;

import io.delayqueue.DelayQueueOperations;
import io.delayqueue.TransactionMode;
import io.delayqueue.test.DelayQueueTest;
import io.delayqueue.test.DelayQueueTestKit;
import java.time.Duration;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.transaction.autoconfigure.TransactionAutoConfiguration;
import org.springframework.test.annotation.Commit;
import org.springframework.transaction.annotation.Transactional;

/** Commits at the end of a test do not reach the next test. */
@DelayQueueTest(
        queues = "orders",
        properties = {
            "spring.datasource.url=jdbc:h2:mem:reset;DB_CLOSE_DELAY=-1",
            "delayqueue.jdbc.initialize-schema=always",
            "delayqueue.test.timeout=30s"
        })
@ImportAutoConfiguration({
    DataSourceAutoConfiguration.class,
    DataSourceTransactionManagerAutoConfiguration.class,
    TransactionAutoConfiguration.class
})
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class TestKitResetOutboxIntegrationTests {

    @Autowired
    DelayQueueOperations tasks;

    @Test
    @Order(1)
    @Transactional
    @Commit
    void taskWhenCommittedAtTheEndOfATest() {
        tasks.inTransaction(TransactionMode.OUTBOX).schedule(requestTo("orders", "order-1", "", Duration.ofMinutes(1)));
    }

    @Test
    @Order(2)
    void taskWhenCommittedAtTheEndOfATestIsNotInTheNext(@Autowired DelayQueueTestKit kit) {
        assertThat(kit.queue("orders")).hasNoTasks();
    }

    @SpringBootConfiguration
    static class Application {}
}
