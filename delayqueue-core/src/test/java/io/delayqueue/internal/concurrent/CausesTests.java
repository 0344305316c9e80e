// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.concurrent;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.Test;

class CausesTests {

    private final Exception cause = new IllegalStateException("why");

    @Test
    void ofWhenFuturesHaveWrappedItSeveralTimesIsWhatWentWrong() {
        assertThat(Causes.of(new ExecutionException(new CompletionException(new CompletionException(cause)))))
                .isSameAs(cause);
    }

    @Test
    void ofWhenNothingIsWrappedIsTheErrorItself() {
        CompletionException empty = new CompletionException("of nobody", null);
        assertThat(Causes.of(empty)).isSameAs(empty);
        assertThat(Causes.of(cause)).isSameAs(cause);
    }

    @Test
    void ofWhenTheCauseHasACauseOfItsOwnKeepsThatOne() {
        RuntimeException known = new RuntimeException("known", cause);
        assertThat(Causes.of(new CompletionException(known))).isSameAs(known);
    }
}
