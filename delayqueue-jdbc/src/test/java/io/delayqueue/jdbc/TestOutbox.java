// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.jdbc;

import io.delayqueue.DelayQueueOperations;
import io.delayqueue.TransactionMode;
import io.delayqueue.internal.client.DelayQueueTemplate;
import io.delayqueue.internal.transaction.TransactionalOutbox;
import org.springframework.context.ApplicationContext;

/** The outbox of a context whose template is made by the test. */
public final class TestOutbox {

    private TestOutbox() {}

    /** Returns the operations of the context's template, with the calls of transactions in its outbox. */
    public static DelayQueueOperations of(ApplicationContext context) {
        return context.getBean(DelayQueueTemplate.class)
                .within(mode -> context.getBean(TransactionalOutbox.class), TransactionMode.OUTBOX);
    }
}
