// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.delayqueue.InvalidTaskException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class QueueNamesTests {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a",
                "0",
                "orders",
                "Orders.v2_x-y",
                "a123456789012345678901234567890123456789012345678901234567890123"
            })
    void checkWhenNameIsWellFormedReturnsIt(String name) {
        assertThat(QueueNames.check(name)).isEqualTo(name);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "-a",
                ".a",
                "_a",
                "a b",
                "a{b",
                "a}b",
                "a:b",
                "a\n",
                "\u00e4",
                "\u0661",
                "a1234567890123456789012345678901234567890123456789012345678901234"
            })
    void checkWhenNameIsMalformedNamesTheRuleAndThePropertyOnOneLine(String name) {
        assertThatExceptionOfType(InvalidTaskException.class)
                .isThrownBy(() -> QueueNames.check(name))
                .withMessageContaining("delayqueue.queues.<name>")
                .withMessageContaining("1 to 64")
                .matches(ex -> ex.getMessage().lines().count() == 1);
    }
}
