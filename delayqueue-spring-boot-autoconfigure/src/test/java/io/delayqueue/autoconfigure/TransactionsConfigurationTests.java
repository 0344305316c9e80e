// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.delayqueue.CancelOutcome;
import io.delayqueue.DeferredCallFailed;
import io.delayqueue.DelayQueueException;
import io.delayqueue.DelayQueueOperations;
import io.delayqueue.TaskStoreException;
import io.delayqueue.TransactionMismatchException;
import io.delayqueue.TransactionMode;
import io.delayqueue.internal.autoconfigure.failure.InvalidDelayQueueSetupException;
import io.delayqueue.internal.transaction.DeferredCall;
import io.delayqueue.internal.transaction.TransactionalOutbox;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.EventListener;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.ReactiveTransaction;
import org.springframework.transaction.ReactiveTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.AbstractPlatformTransactionManager;
import org.springframework.transaction.support.DefaultTransactionStatus;
import org.springframework.transaction.support.TransactionTemplate;
import reactor.core.publisher.Mono;

/** Without Redis, immediate calls fail and deferred calls do not. */
class TransactionsConfigurationTests {

    private final TransactionTemplate transaction = new TransactionTemplate(new NoTransactions());

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    DataRedisAutoConfiguration.class,
                    JacksonAutoConfiguration.class,
                    DelayQueueAutoConfiguration.class))
            .withPropertyValues("spring.data.redis.port=1", "delayqueue.redis.check=off", "delayqueue.queues.orders=")
            .withUserConfiguration(Failures.class);

    @Test
    void callsWhenTheyAreToBeRefusedAreRefused() {
        runner.withPropertyValues("delayqueue.transactions=refuse")
                .run(context -> inTransaction(
                        context.getBean(DelayQueueOperations.class),
                        operations -> assertThatExceptionOfType(TransactionMismatchException.class)
                                .isThrownBy(() -> operations.cancel("orders", "a"))));
    }

    @Test
    void outboxWhenThereIsNoneKeepsTheApplicationFromStartingAndSaysWhatToAdd() {
        runner.withPropertyValues("delayqueue.transactions=outbox")
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .isInstanceOfSatisfying(InvalidDelayQueueSetupException.class, ex -> {
                            assertThat(ex.property()).isEqualTo("delayqueue.transactions");
                            assertThat(ex.action()).contains("io.delayqueue:delayqueue-jdbc");
                        }));
    }

    @Test
    void outboxWhenThereIsOneGetsTheCallsOfTransactions() {
        runner.withPropertyValues("delayqueue.transactions=outbox")
                .withUserConfiguration(Outbox.class)
                .run(context -> {
                    inTransaction(
                            context.getBean(DelayQueueOperations.class),
                            operations ->
                                    assertThat(operations.cancel("orders", "a")).isEqualTo(CancelOutcome.DEFERRED));
                    assertThat(context.getBean(Outbox.class).kept)
                            .singleElement()
                            .satisfies(call -> assertThat(call.change().id()).isEqualTo("a"));
                });
    }

    @Test
    void outboxWhenItIsThereAndNotAskedForGetsNothing() {
        runner.withUserConfiguration(Outbox.class)
                .run(context -> inTransaction(
                        context.getBean(DelayQueueOperations.class),
                        operations -> assertThatExceptionOfType(TaskStoreException.class)
                                .isThrownBy(() -> operations.cancel("orders", "a"))));
    }

    @Test
    void inTransactionWhenThereIsNoOutboxSaysWhatToAdd() {
        runner.run(context -> assertThatExceptionOfType(InvalidDelayQueueSetupException.class)
                .isThrownBy(() -> context.getBean(DelayQueueOperations.class).inTransaction(TransactionMode.OUTBOX))
                .withMessageContaining("io.delayqueue:delayqueue-jdbc"));
    }

    @Test
    void modesWhenTheTransactionManagerIsReactiveAreRefusedAndNotIgnored() {
        ApplicationContextRunner reactive =
                runner.withBean("r2dbc", ReactiveTransactionManager.class, () -> new ReactiveOnly());
        for (String mode : List.of("after-commit", "refuse")) {
            reactive.withPropertyValues("delayqueue.transactions=" + mode)
                    .run(context -> assertThat(context)
                            .getFailure()
                            .rootCause()
                            .isInstanceOf(InvalidDelayQueueSetupException.class)
                            .hasMessageContaining("'r2dbc' is reactive"));
        }
        reactive.run(context -> {
            assertThat(context).hasNotFailed();
            DelayQueueOperations operations = context.getBean(DelayQueueOperations.class);
            assertThatExceptionOfType(InvalidDelayQueueSetupException.class)
                    .isThrownBy(() -> operations.inTransaction(TransactionMode.AFTER_COMMIT));
        });
        reactive.withBean("jdbc", PlatformTransactionManager.class, NoTransactions::new)
                .withPropertyValues("delayqueue.transactions=after-commit")
                .run(context -> assertThat(context).hasNotFailed());
    }

    @Test
    void modeWhenItIsUnknownKeepsTheApplicationFromStarting() {
        runner.withPropertyValues("delayqueue.transactions=later")
                .run(context -> assertThat(context).getFailure().rootCause().hasMessageContaining("later"));
    }

    @Test
    void callsWhenTheQueuesAreTurnedOffFailAndAreNotDeferred() {
        runner.withPropertyValues("delayqueue.enabled=false", "delayqueue.transactions=after-commit")
                .run(context -> inTransaction(
                        context.getBean(DelayQueueOperations.class),
                        operations -> assertThatExceptionOfType(DelayQueueException.class)
                                .isThrownBy(() -> operations.cancel("orders", "a"))
                                .withMessageContaining("delayqueue.enabled")));
    }

    private void inTransaction(DelayQueueOperations operations, Consumer<DelayQueueOperations> code) {
        transaction.executeWithoutResult(status -> code.accept(operations));
    }

    @Configuration(proxyBeanMethods = false)
    static class Failures {

        final List<DeferredCallFailed> told = new ArrayList<>();

        @EventListener
        void failed(DeferredCallFailed failure) {
            told.add(failure);
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Outbox {

        final List<DeferredCall<?>> kept = new ArrayList<>();

        @Bean
        TransactionalOutbox outbox() {
            return new TransactionalOutbox() {
                @Override
                public boolean isOpen() {
                    return true;
                }

                @Override
                public void add(List<? extends DeferredCall<?>> calls) {
                    kept.addAll(calls);
                }
            };
        }
    }

    private static final class ReactiveOnly implements ReactiveTransactionManager {

        @Override
        public Mono<ReactiveTransaction> getReactiveTransaction(TransactionDefinition definition) {
            return Mono.empty();
        }

        @Override
        public Mono<Void> commit(ReactiveTransaction transaction) {
            return Mono.empty();
        }

        @Override
        public Mono<Void> rollback(ReactiveTransaction transaction) {
            return Mono.empty();
        }
    }

    /** Of nothing. */
    private static final class NoTransactions extends AbstractPlatformTransactionManager {

        @Override
        protected Object doGetTransaction() {
            return new Object();
        }

        @Override
        protected void doBegin(Object begun, TransactionDefinition definition) {}

        @Override
        protected void doCommit(DefaultTransactionStatus status) {}

        @Override
        protected void doRollback(DefaultTransactionStatus status) {}
    }
}
