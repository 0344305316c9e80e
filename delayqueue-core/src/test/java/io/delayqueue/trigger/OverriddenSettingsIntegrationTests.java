// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.trigger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.delayqueue.DelayQueueException;
import io.delayqueue.delivery.TaskDestination;
import io.delayqueue.internal.engine.CollectingDestination;
import io.delayqueue.queue.QueueSettings;
import io.delayqueue.queue.TriggerSettings;
import java.time.Duration;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Settings that a trigger overrides have the bounds of the properties. */
class OverriddenSettingsIntegrationTests {

    private final TriggerFixture fixture = new TriggerFixture();

    @AfterEach
    void close() {
        fixture.close();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    PT0S  | PT1S  | 1     | 1   | Queue 'orders': its lease | between 1ms and 365d, but is 0s
                    P400D | PT1S  | 1     | 1   | Queue 'orders': its lease | between 1ms and 365d, but is 400d
                    PT1S  | PT-1S | 1     | 1   | shutdown-timeout             | between 1ms and 365d, but is -1s
                    PT1S  | PT1S  | 0     | 1   | concurrency               | between 1 and 10000, but is 0
                    PT1S  | PT1S  | 10001 | 1   | concurrency               | between 1 and 10000, but is 10001
                    PT1S  | PT1S  | 1     | 0   | batch-size                | between 1 and 500, but is 0
                    PT1S  | PT1S  | 1     | 501 | batch-size                | between 1 and 500, but is 501
                    """)
    void startWhenACustomizedSettingCannotWorkNamesIt(
            Duration lease, Duration shutdownTimeout, int threads, int batchSize, String setting, String bounds) {
        ScanTrigger trigger = new Customizing(configured -> configured.toBuilder()
                .lease(lease)
                .trigger(new TriggerSettings(true, threads, null, batchSize, Duration.ofSeconds(1), shutdownTimeout))
                .build());
        trigger.setTriggerContext(fixture.context());
        assertThatExceptionOfType(DelayQueueException.class)
                .isThrownBy(trigger::start)
                .withMessage("Queue 'orders': customize() of " + Customizing.class.getName() + ": " + setting
                        + " must be " + bounds);
        assertThat(trigger.isRunning()).isFalse();
        assertThatExceptionOfType(DelayQueueException.class)
                .isThrownBy(() -> trigger.scanOnce(1))
                .withMessageContaining(setting);
    }

    private static final class Customizing extends ScanTrigger {

        private final UnaryOperator<QueueSettings> customization;

        Customizing(UnaryOperator<QueueSettings> customization) {
            super(TriggerFixture.QUEUE);
            this.customization = customization;
        }

        @Override
        protected TaskDestination createDestination() {
            return CollectingDestination.acknowledging();
        }

        @Override
        protected QueueSettings customize(QueueSettings configured) {
            return customization.apply(configured);
        }
    }
}
