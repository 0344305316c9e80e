// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.delayqueue.InvalidTaskException;
import io.delayqueue.annotation.TaskType;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PayloadTypesTests {

    private final PayloadTypes types = new PayloadTypes();
    private final Map<String, String> headers = Map.of("tenant", "blue");

    @TaskType("order.placed")
    record Placed() {}

    @TaskType("order placed")
    record WithASpace() {}

    @Test
    void addToWhenTheClassHasATypeAddsItsName() {
        assertThat(types.addTo(headers, new Placed()))
                .containsExactlyInAnyOrderEntriesOf(Map.of("tenant", "blue", "dq-type", "order.placed"));
    }

    @Test
    void addToWhenTheClassHasNoneIsTheHeadersThemselves() {
        assertThat(types.addTo(headers, "x")).isSameAs(headers);
    }

    @Test
    void addToWhenTheNameCannotBeAHeadersIsRefused() {
        assertThatExceptionOfType(InvalidTaskException.class)
                .isThrownBy(() -> types.addTo(headers, new WithASpace()))
                .withMessageContaining("@TaskType of " + WithASpace.class.getName());
    }
}
