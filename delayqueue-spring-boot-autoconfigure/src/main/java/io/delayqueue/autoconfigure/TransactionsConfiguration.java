// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.autoconfigure;

import io.delayqueue.client.DelayQueueTemplate;
import io.delayqueue.internal.autoconfigure.failure.InvalidDelayQueueSetupException;
import io.delayqueue.internal.transaction.CallsAfterCommit;
import io.delayqueue.internal.transaction.ImmediateCalls;
import io.delayqueue.internal.transaction.RefusedCalls;
import io.delayqueue.internal.transaction.TransactionalCalls;
import io.delayqueue.internal.transaction.TransactionalOutbox;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * What the template does within a transaction, by {@code delayqueue.transactions}. Where the delay queues are turned off its calls
 * fail at once, and are not deferred first.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass(TransactionSynchronizationManager.class)
@ConditionalOnBooleanProperty(name = "delayqueue.enabled", matchIfMissing = true)
class TransactionsConfiguration {

    @Bean
    TransactionMode delayQueueTransactionMode(
            DelayQueueProperties properties,
            ObjectProvider<DelayQueueTemplate> template,
            ObjectProvider<TransactionalOutbox> outbox,
            ApplicationEventPublisher events) {
        return new TransactionMode(
                switch (properties.transactions()) {
                    case IMMEDIATE -> new ImmediateCalls();
                    case REFUSE -> new RefusedCalls();
                    case AFTER_COMMIT ->
                        new CallsAfterCommit(() -> template.getObject().changes(), events::publishEvent);
                    case OUTBOX -> outbox.getIfAvailable(TransactionsConfiguration::noOutbox);
                });
    }

    private static TransactionalOutbox noOutbox() {
        throw new InvalidDelayQueueSetupException(
                "delayqueue.transactions",
                "The property delayqueue.transactions is outbox, but the application has no outbox that would keep"
                        + " calls with the transaction's data.",
                "Add the dependency io.delayqueue:delayqueue-jdbc and a DataSource, or set delayqueue.transactions to"
                        + " after-commit, immediate or refuse.");
    }

    /** Holds the calls, so that an outbox is not a bean twice. */
    record TransactionMode(TransactionalCalls calls) {}
}
