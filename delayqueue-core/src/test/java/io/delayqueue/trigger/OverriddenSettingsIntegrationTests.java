// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.trigger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.delayqueue.DelayQueueException;
import io.delayqueue.delivery.TaskDestination;
import io.delayqueue.internal.engine.CollectingDestination;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a trigger overrides has the bounds of the properties. */
class OverriddenSettingsIntegrationTests {

    private final TriggerFixture fixture = new TriggerFixture();

    @AfterEach
    void close() {
        fixture.close();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    PT0S  | PT1S  | 1     | 1   | lease()        | between 1ms and 365d, but is 0s
                    P400D | PT1S  | 1     | 1   | lease()        | between 1ms and 365d, but is 400d
                    PT1S  | PT-1S | 1     | 1   | closeTimeout() | between 1ms and 365d, but is -1s
                    PT1S  | PT1S  | 0     | 1   | threads()      | between 1 and 10000, but is 0
                    PT1S  | PT1S  | 10001 | 1   | threads()      | between 1 and 10000, but is 10001
                    PT1S  | PT1S  | 1     | 0   | batchSize()    | between 1 and 500, but is 0
                    PT1S  | PT1S  | 1     | 501 | batchSize()    | between 1 and 500, but is 501
                    """)
    void startWhenAnOverriddenMethodAnswersWhatCannotWorkNamesIt(
            Duration lease, Duration closeTimeout, int threads, int batchSize, String method, String bounds) {
        ScanTrigger trigger = new Overriding(lease, closeTimeout, threads, batchSize);
        trigger.setTriggerContext(fixture.context());
        assertThatExceptionOfType(DelayQueueException.class)
                .isThrownBy(trigger::start)
                .withMessage("Queue 'orders': " + method + " of " + Overriding.class.getName() + " must be " + bounds);
        assertThat(trigger.isRunning()).isFalse();
        assertThatExceptionOfType(DelayQueueException.class)
                .isThrownBy(() -> trigger.scanOnce(1))
                .withMessageContaining(method);
    }

    private static final class Overriding extends ScanTrigger {

        private final Duration lease;
        private final Duration closeTimeout;
        private final int threads;
        private final int batchSize;

        Overriding(Duration lease, Duration closeTimeout, int threads, int batchSize) {
            super(TriggerFixture.QUEUE);
            this.lease = lease;
            this.closeTimeout = closeTimeout;
            this.threads = threads;
            this.batchSize = batchSize;
        }

        @Override
        protected TaskDestination createDestination() {
            return CollectingDestination.acknowledging();
        }

        @Override
        protected Duration lease() {
            return lease;
        }

        @Override
        protected Duration closeTimeout() {
            return closeTimeout;
        }

        @Override
        protected int threads() {
            return threads;
        }

        @Override
        protected int batchSize() {
            return batchSize;
        }
    }
}
