// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.jdbc;

import static io.delayqueue.TestRequests.requestTo;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.delayqueue.DelayQueueOperations;
import io.delayqueue.TransactionMode;
import io.delayqueue.annotation.DelayQueueListener;
import io.delayqueue.annotation.TaskHeaders;
import io.delayqueue.test.DelayQueueTest;
import io.delayqueue.test.DelayQueueTestKit;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.transaction.autoconfigure.TransactionAutoConfiguration;
import org.springframework.messaging.handler.annotation.Header;
import org.springframework.transaction.support.TransactionTemplate;

/** The test kit in an application with an outbox: what was committed has happened, and what was not has not. */
@DelayQueueTest(
        value = TestKitOutboxIntegrationTests.Shop.class,
        queues = "orders",
        properties = {
            "spring.datasource.url=jdbc:h2:mem:kit;DB_CLOSE_DELAY=-1",
            "delayqueue.jdbc.initialize-schema=always",
            "delayqueue.test.timeout=30s"
        })
@ImportAutoConfiguration({
    DataSourceAutoConfiguration.class,
    DataSourceTransactionManagerAutoConfiguration.class,
    TransactionAutoConfiguration.class
})
class TestKitOutboxIntegrationTests {

    private static final Duration QUARTER = Duration.ofMinutes(15);

    @Autowired
    DelayQueueTestKit kit;

    @Autowired
    DelayQueueOperations tasks;

    @Autowired
    TransactionTemplate transaction;

    @Autowired
    Shop shop;

    @BeforeEach
    void begin() {
        shop.entries.clear();
    }

    @Test
    void advanceWhenAHandlerCommitsAnotherTaskDeliversItToo() {
        Instant begin = kit.now();
        transaction.executeWithoutResult(status -> schedule("first", Duration.ofMinutes(1)));
        kit.advance(Duration.ofMinutes(10));
        assertThat(shop.entries)
                .containsExactly(
                        "first at " + begin.plusSeconds(60),
                        "second at " + begin.plusSeconds(120),
                        "third at " + begin.plusSeconds(180));
    }

    @Test
    void advanceWhenTheTransactionIsOpenDoesNotWaitForIt() {
        transaction.executeWithoutResult(status -> {
            schedule("order-1", Duration.ofSeconds(1));
            kit.advance(Duration.ofMinutes(1));
            assertThat(kit.queue("orders")).hasNoTasks();
            status.setRollbackOnly();
        });
        kit.advance(Duration.ofMinutes(1));
        assertThat(shop.entries).isEmpty();
    }

    @Test
    void hasTaskWhenTheTransactionOfTheTestHoldsItBackSaysSo() {
        transaction.executeWithoutResult(status -> {
            schedule("order-1", QUARTER);
            tasks.inTransaction(TransactionMode.AFTER_COMMIT).cancel("orders", "order-2");
            assertThatThrownBy(() -> assertThat(kit.queue("orders")).hasTask("order-1"))
                    .hasMessageContaining("holds back 2 call(s) until it commits");
            status.setRollbackOnly();
        });
        assertThatThrownBy(() -> assertThat(kit.queue("orders")).hasTask("order-1"))
                .message()
                .doesNotContain("holds back");
    }

    private void schedule(String id, Duration delay) {
        tasks.inTransaction(TransactionMode.OUTBOX).schedule(requestTo("orders", id, id, delay));
    }

    @SpringBootConfiguration
    static class Application {}

    /** Records its tasks, and commits the following tasks. */
    static class Shop {

        final List<String> entries = new CopyOnWriteArrayList<>();
        private final DelayQueueOperations tasks;
        private final TransactionTemplate transaction;
        private final ObjectProvider<DelayQueueTestKit> kit;

        Shop(DelayQueueOperations tasks, TransactionTemplate transaction, ObjectProvider<DelayQueueTestKit> kit) {
            this.tasks = tasks;
            this.transaction = transaction;
            this.kit = kit;
        }

        @DelayQueueListener(queue = "orders")
        void order(@Header(TaskHeaders.ID) String id) {
            entries.add(id + " at " + kit.getObject().now());
            if (id.equals("first")) {
                then("second");
            } else if (id.equals("second")) {
                then("third");
            }
        }

        private void then(String id) {
            transaction.executeWithoutResult(status -> tasks.inTransaction(TransactionMode.OUTBOX)
                    .schedule(requestTo("orders", id, id, Duration.ofMinutes(1))));
        }
    }
}
