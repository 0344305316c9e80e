// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.delivery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.lang.reflect.Method;
import java.time.Duration;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class OutcomeTests {

    @Test
    void failedWhenRefinedKeepsWhatWasSaid() {
        Outcome outcome =
                Outcome.failed("no answer").retryAfter(Duration.ofMinutes(1)).mayHaveArrived();

        assertThat(outcome.kind()).isEqualTo(Outcome.Kind.FAILED);
        assertThat(outcome.reason()).isEqualTo("no answer");
        assertThat(outcome.retryAfter()).contains(Duration.ofMinutes(1));
        assertThat(outcome.isUncertain()).isTrue();
        assertThat(Outcome.failed("no answer").isUncertain()).isFalse();
    }

    @Test
    void retryAfterWhenNoAttemptFollowsIsRefused() {
        for (Outcome last : new Outcome[] {Outcome.delivered(), Outcome.dead("gone"), Outcome.released()}) {
            assertThatIllegalStateException()
                    .isThrownBy(() -> last.retryAfter(Duration.ZERO))
                    .withMessageContaining(last.kind().name());
        }
    }

    @Test
    void mayHaveArrivedWhenTheOutcomeIsCertainIsRefused() {
        assertThatIllegalStateException().isThrownBy(Outcome.delivered()::mayHaveArrived);
        assertThatIllegalStateException().isThrownBy(Outcome.released()::mayHaveArrived);
        assertThat(Outcome.dead("gone").mayHaveArrived().isUncertain()).isTrue();
    }

    @Test
    void deliveryWhenLookedAtHasNothingThatChangesIt() {
        assertThat(Arrays.stream(Delivery.class.getMethods()).filter(method -> method.getParameterCount() > 0))
                .isEmpty();
        assertThat(Arrays.stream(Delivery.class.getMethods()).map(Method::getReturnType))
                .doesNotContain(void.class);
    }
}
