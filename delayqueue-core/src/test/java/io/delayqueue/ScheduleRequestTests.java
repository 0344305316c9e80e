// SPDX-License-Identifier: Apache-2.0
package io.delayqueue;

import static io.delayqueue.TestRequests.requestTo;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ScheduleRequestTests {

    @Test
    void buildWhenNoIdIsGivenMakesOnePerRequest() {
        ScheduleRequest.Builder<Object> builder =
                ScheduleRequest.to("orders").payload("x").dueIn(Duration.ZERO);
        Set<String> ids = new HashSet<>();
        for (int i = 0; i < 1000; i++) {
            ids.add(builder.build().id());
        }
        assertThat(ids).hasSize(1000).allMatch(id -> id.matches("[A-Za-z0-9_-]{22}"));
    }

    @Test
    void requestIdWhenAskedTwiceStaysAndCannotBeChangedFromOutside() {
        ScheduleRequest<?> request = requestTo("orders", "x", Duration.ZERO);
        byte[] first = request.requestId();
        first[0]++;
        assertThat(request.requestId()).hasSize(16).isNotEqualTo(first);
    }

    @Test
    void buildWhenTheKeyOrTheGroupIsEmptySaysSo() {
        ScheduleRequest.Builder<Object> builder =
                ScheduleRequest.to("orders").payload("x").dueIn(Duration.ZERO);

        assertThatExceptionOfType(InvalidTaskException.class)
                .isThrownBy(() -> builder.key("").build())
                .withMessageContaining("key");
        assertThatExceptionOfType(InvalidTaskException.class)
                .isThrownBy(() -> builder.key("a").group("").build())
                .withMessageContaining("group");
    }

    @Test
    void buildWhenSomethingIsMissingSaysWhatToCall() {
        assertThatExceptionOfType(InvalidTaskException.class)
                .isThrownBy(
                        () -> ScheduleRequest.to("orders").dueIn(Duration.ZERO).build())
                .withMessage("The request has no payload: call payload(...) before build()");
        assertThatExceptionOfType(InvalidTaskException.class)
                .isThrownBy(() -> ScheduleRequest.to("orders").payload("x").build())
                .withMessage("The request has no due time: call dueIn(...) or dueAt(...) before build()");
        assertThatExceptionOfType(InvalidTaskException.class)
                .isThrownBy(() -> ScheduleRequest.to("orders")
                        .payload("x")
                        .dueIn(Duration.ZERO)
                        .onConflict(ConflictPolicy.DEBOUNCE)
                        .build())
                .withMessageContaining("no maximum wait: call debounce(...)");
        assertThatExceptionOfType(InvalidTaskException.class)
                .isThrownBy(() -> ScheduleRequest.to("orders")
                        .payload("x")
                        .dueIn(Duration.ZERO)
                        .debounce(Duration.ofHours(1))
                        .notAfter(Instant.MAX)
                        .build())
                .withMessageContaining("Use expiresAfter(...) instead");
    }

    @Test
    void toStringWhenPayloadIsSecretDoesNotShowIt() {
        ScheduleRequest<?> request = ScheduleRequest.to("orders")
                .payload("secret-payload")
                .header("h", "secret-header")
                .dueIn(Duration.ZERO)
                .build();
        assertThat(request.toString()).contains("orders").doesNotContain("secret");
    }
}
