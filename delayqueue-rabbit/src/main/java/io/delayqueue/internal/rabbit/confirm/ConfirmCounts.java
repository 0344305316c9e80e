// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.rabbit.confirm;

import java.util.concurrent.atomic.LongAdder;

/** Counts the broker's answers. Thread-safe. */
public final class ConfirmCounts {

    private final LongAdder acks = new LongAdder();
    private final LongAdder nacks = new LongAdder();
    private final LongAdder returns = new LongAdder();
    private final LongAdder timeouts = new LongAdder();
    private final LongAdder lost = new LongAdder();

    /** Adds the answers to a finished batch. */
    public void add(BatchAnswers answers) {
        for (BatchAnswers.Message message : answers.messages()) {
            switch (message.answer()) {
                case ACK -> acks.increment();
                case NACK -> nacks.increment();
                case RETURNED -> returns.increment();
                case NONE -> (answers.end() == null ? timeouts : lost).increment();
                case NOT_PUBLISHED -> {}
            }
        }
    }

    public RabbitConfirms counts() {
        return new RabbitConfirms(acks.sum(), nacks.sum(), returns.sum(), timeouts.sum(), lost.sum());
    }
}
