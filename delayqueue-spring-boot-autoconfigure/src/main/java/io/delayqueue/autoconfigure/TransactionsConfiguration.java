// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.autoconfigure;

import io.delayqueue.TransactionMode;
import io.delayqueue.internal.autoconfigure.failure.InvalidDelayQueueSetupException;
import io.delayqueue.internal.client.DelayQueueTemplate;
import io.delayqueue.internal.transaction.CallsAfterCommit;
import io.delayqueue.internal.transaction.RefusedCalls;
import io.delayqueue.internal.transaction.TransactionalCalls;
import io.delayqueue.internal.transaction.TransactionalOutbox;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.ReactiveTransactionManager;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Configures how the template makes calls within a transaction, by {@link TransactionMode}. If the delay queues are
 * disabled, calls fail at once and are never deferred.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass(TransactionSynchronizationManager.class)
@ConditionalOnBooleanProperty(name = "delayqueue.enabled", matchIfMissing = true)
class TransactionsConfiguration {

    private static final String PROPERTY = "delayqueue.transactions";

    private static final Logger log = LoggerFactory.getLogger(TransactionsConfiguration.class);

    @Bean
    Modes delayQueueTransactionModes(
            ObjectProvider<DelayQueueTemplate> template,
            ObjectProvider<TransactionalOutbox> outbox,
            ApplicationEventPublisher events,
            ListableBeanFactory beans) {
        Map<TransactionMode, TransactionalCalls> made =
                new ConcurrentHashMap<>(Map.of(TransactionMode.IMMEDIATE, TransactionalCalls.NONE));
        return new Modes(mode -> {
            TransactionalCalls known = made.get(mode);
            if (known != null) {
                return known;
            }
            refuseReactive(mode, beans);
            TransactionalCalls calls = switch (mode) {
                case IMMEDIATE -> TransactionalCalls.NONE;
                case REFUSE -> new RefusedCalls();
                case AFTER_COMMIT ->
                    new CallsAfterCommit(() -> template.getObject().changes(), events::publishEvent);
                case OUTBOX -> outbox.getIfAvailable(TransactionsConfiguration::noOutbox);
            };
            TransactionalCalls before = made.putIfAbsent(mode, calls);
            return (before != null) ? before : calls;
        });
    }

    /**
     * Fails if the application has only reactive transactions. Their state is in the Reactor context, which is not
     * available to a call.
     */
    private static void refuseReactive(TransactionMode mode, ListableBeanFactory beans) {
        String[] reactive = beans.getBeanNamesForType(ReactiveTransactionManager.class, true, false);
        if (reactive.length == 0) {
            return;
        }
        if (beans.getBeanNamesForType(PlatformTransactionManager.class, true, false).length == 0) {
            throw new InvalidDelayQueueSetupException(
                    PROPERTY,
                    "The mode " + mode
                            + " (delayqueue.transactions, or inTransaction) was requested, but the transaction "
                            + "manager '" + reactive[0]
                            + "' is reactive. Calls cannot join a reactive transaction: they would be made at once, "
                            + "even if it rolls back.",
                    "Set delayqueue.transactions to immediate and make the calls after the commit, or "
                            + "use a blocking transaction manager.");
        }
        log.warn(
                "Mode {} supports only transactions of blocking transaction managers. Calls within a "
                        + "transaction of the reactive manager '{}' are made at once: make them after the commit",
                mode,
                reactive[0]);
    }

    private static TransactionalOutbox noOutbox() {
        throw new InvalidDelayQueueSetupException(
                PROPERTY,
                "The mode OUTBOX (delayqueue.transactions, or inTransaction) was requested, but the "
                        + "application has no outbox that would store the calls in its transaction.",
                "Add the dependency io.delayqueue:delayqueue-jdbc and a DataSource, or use the mode after-commit,"
                        + " immediate or refuse.");
    }

    /** The implementation of each mode. The outbox is looked up when its mode is first used. */
    record Modes(Function<TransactionMode, TransactionalCalls> calls) {}
}
