// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.delayqueue.InvalidTaskException;
import io.delayqueue.annotation.TaskType;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PayloadTypesTests {

    private final PayloadTypes types = new PayloadTypes();
    private final Map<String, String> headers = new HashMap<>(Map.of("tenant", "blue"));

    @TaskType("order.placed")
    record Placed() {}

    @TaskType("order placed")
    record WithASpace() {}

    @Test
    void addToWhenTheClassHasATypeAddsItsName() {
        types.addTo(headers, new Placed());

        assertThat(headers).isEqualTo(Map.of("tenant", "blue", "dq-type", "order.placed"));
    }

    @Test
    void addToWhenTheClassHasNoneAddsNothing() {
        types.addTo(headers, "x");

        assertThat(headers).isEqualTo(Map.of("tenant", "blue"));
    }

    @Test
    void addToWhenTheNameCannotBeAHeadersIsRefused() {
        assertThatExceptionOfType(InvalidTaskException.class)
                .isThrownBy(() -> types.addTo(headers, new WithASpace()))
                .withMessageContaining("@TaskType of " + WithASpace.class.getName());
    }
}
