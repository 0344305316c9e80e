// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.jdbc.autoconfigure;

import io.delayqueue.DelayQueueOperations;
import io.delayqueue.admin.DelayQueueAdmin;
import io.delayqueue.internal.jdbc.reconcile.DueTimes;
import io.delayqueue.internal.jdbc.reconcile.Mending;
import io.delayqueue.internal.jdbc.reconcile.OutboxReconciler;
import io.delayqueue.internal.store.QueueClock;
import io.delayqueue.jdbc.DelayQueueReconciler;
import io.delayqueue.jdbc.TransactionalDelayQueueOperations;
import io.delayqueue.queue.QueueCatalog;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.transaction.PlatformTransactionManager;

/** Auto-configuration of what compares queues with the database, where there is an outbox. It runs when it is called. */
@AutoConfiguration(after = DelayQueueJdbcAutoConfiguration.class)
@ConditionalOnBean({ChosenDataSource.class, TransactionalDelayQueueOperations.class})
public final class DelayQueueReconcilerAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean
    DelayQueueReconciler delayQueueReconciler(
            ChosenDataSource chosen,
            TransactionalDelayQueueOperations outbox,
            DelayQueueOperations queues,
            DelayQueueAdmin admin,
            QueueCatalog catalog,
            ObjectProvider<PlatformTransactionManager> managers,
            ObjectProvider<QueueClock> clock) {
        QueueClock dueBy = clock.getIfUnique(() -> QueueClock.SERVERS);
        DueTimes dueTimes = new DueTimes(catalog);
        Mending mending = new Mending(outbox, chosen.transactions(managers), dueTimes);
        return new OutboxReconciler(queues, admin, mending, dueTimes, dueBy::now);
    }
}
