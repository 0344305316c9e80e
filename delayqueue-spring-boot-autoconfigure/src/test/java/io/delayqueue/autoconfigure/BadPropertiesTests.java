// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.delayqueue.BadInput;
import io.delayqueue.BadInput.Case;
import io.delayqueue.LogLines;
import io.delayqueue.internal.autoconfigure.failure.InvalidDelayQueueSetupException;
import io.delayqueue.internal.autoconfigure.settings.DelayQueueProperties;
import io.delayqueue.internal.autoconfigure.settings.QueueSettingsReader;
import io.delayqueue.internal.codec.PayloadCodecs;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.boot.context.properties.bind.Binder;

/**
 * With any value of a property, the application either works, or does not start and names the property and the reason.
 */
class BadPropertiesTests {

    static List<Case<String>> values() {
        return BadInput.propertyValues().toList();
    }

    @ParameterizedTest
    @MethodSource("values")
    void everyPropertyWhenSetToAnythingWorksOrIsRefusedByName(Case<String> bad) {
        for (String property : SettingsReading.PROPERTIES) {
            Map<String, String> properties = new HashMap<>(Map.of("delayqueue.queues.orders.codec", "json"));
            properties.put("delayqueue." + property, bad.input());
            assertThatCode(() -> SettingsReading.takes(properties)).as(property).doesNotThrowAnyException();
        }
    }

    static List<Case<String>> queueNames() {
        return BadInput.queueNames().filter(bad -> !bad.input().isEmpty()).toList();
    }

    @ParameterizedTest
    @MethodSource("queueNames")
    void aQueueWhenItsNameIsBadIsRefused(Case<String> bad) {
        DelayQueueProperties defaults = new Binder(List.of()).bindOrCreate("delayqueue", DelayQueueProperties.class);
        DelayQueueProperties properties = new DelayQueueProperties(
                true,
                "dq",
                defaults.redis(),
                defaults.maxPayloadSize(),
                defaults.maxHeaderSize(),
                defaults.maxIdLength(),
                defaults.defaults(),
                Map.of(bad.input(), defaults.defaults()),
                defaults.rabbit(),
                defaults.transactions(),
                defaults.metrics(),
                defaults.health(),
                defaults.tracing());
        assertThatExceptionOfType(InvalidDelayQueueSetupException.class)
                .isThrownBy(() -> new QueueSettingsReader(properties, new PayloadCodecs(List.of()), Map.of()).read())
                .satisfies(ex -> LogLines.assertPrintable(ex.description() + ex.action()))
                .withMessageContaining("is not a valid queue name");
    }

    @ParameterizedTest
    @CsvSource({
        "queues.orders.lease, 9223372036854775807s",
        "queues.orders.lease, -9223372036854775808s",
        "queues.orders.trigger.max-idle-interval, PT2562047788015215H30M7.999999999S",
        "queues.orders.retry.multiplier, Infinity",
        "queues.orders.retry.jitter, NaN",
        "queues.orders.limits.rate, 200",
        "queues.orders.limits.rate-when-overdue, -1",
        "queues.orders.limits.rate-when-overdue, 0/s",
        "queues.orders.limits.rate-when-overdue, 5/s burst 10",
        "queues.orders.limits.rate, 5/s burst 0",
        "queues.orders.limits.per-key.rate, 5",
        "queues.orders.limits.per-key.rate, 5/x",
        "queues.orders.limits.per-key.concurrency, 0",
        "max-id-length, 2147483648"
    })
    void aPropertyWhenOutOfEveryRangeIsRefused(String property, String value) {
        assertThat(SettingsReading.takes(Map.of("delayqueue." + property, value)))
                .isFalse();
    }

    @ParameterizedTest
    @CsvSource({"rabbit.exchange", "rabbit.routing-key", "dead.exchange", "dead.routing-key"})
    void aNameOnTheBrokerWhenLongerThanAmqpAllowsIsRefusedAtTheStart(String property) {
        for (String text : List.of("x".repeat(256), "\u20ac".repeat(86))) {
            assertThat(SettingsReading.takes(Map.of(
                            "delayqueue.queues.orders." + property, text, "delayqueue.defaults.dead.exchange", "dead")))
                    .isFalse();
        }
        assertThat(SettingsReading.takes(Map.of("delayqueue.queues.orders." + property, "x".repeat(255))))
                .isTrue();
    }

    @Test
    void aThreadNamePrefixWhenItWouldForgeLogLinesIsRefused() {
        String property = "delayqueue.queues.orders.trigger.thread-name-prefix";
        assertThat(SettingsReading.takes(Map.of(property, BadInput.FORGERY))).isFalse();
        assertThat(SettingsReading.takes(Map.of(property, "orders-"))).isTrue();
    }
}
