// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.control.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayqueue.DelayQueueException;
import io.delayqueue.InvalidTaskException;
import io.delayqueue.TaskStoreBusyException;
import io.delayqueue.TaskStoreCorruptException;
import io.delayqueue.TaskStoreFullException;
import io.delayqueue.TaskStoreTimeoutException;
import io.delayqueue.TaskStoreUnavailableException;
import io.delayqueue.UnknownQueueException;
import io.delayqueue.admin.ReshardException;
import io.delayqueue.internal.control.AccessRefusedException;
import io.delayqueue.internal.control.TooManyOperationsException;
import io.delayqueue.internal.control.TooManyScansException;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class ProblemTests {

    static Stream<Arguments> errors() {
        return Stream.of(
                Arguments.of(new AccessRefusedException("not you"), 403),
                Arguments.of(new UnknownQueueException("no queue"), 404),
                Arguments.of(new IllegalArgumentException("odd"), 400),
                Arguments.of(new InvalidTaskException("odd"), 400),
                Arguments.of(new ReshardException("now"), 409),
                Arguments.of(new TooManyScansException("four"), 429),
                Arguments.of(new TooManyOperationsException("eight"), 429),
                Arguments.of(new TaskStoreUnavailableException("away", false, null), 503),
                Arguments.of(new TaskStoreFullException("full", false, null), 503),
                Arguments.of(new TaskStoreBusyException("busy", false, null), 503),
                Arguments.of(new TaskStoreCorruptException("odd", false, null), 500),
                Arguments.of(new DelayQueueException("odd"), 500));
    }

    @ParameterizedTest
    @MethodSource("errors")
    void problemHasAStatusTheMessageAndAdvice(RuntimeException ex, int status) {
        Problem problem = Problem.of(ex);

        assertThat(problem.status()).isEqualTo(status);
        assertThat(problem.title()).isNotEmpty();
        assertThat(problem.message()).isEqualTo(ex.getMessage());
        assertThat(problem.advice()).isNotEmpty();
    }

    @Test
    void adviceSaysWhetherAChangeMayHaveBeenMade() {
        assertThat(Problem.of(new TaskStoreTimeoutException("late", true, null)).advice())
                .startsWith("The change may have been made");
        assertThat(Problem.of(new TaskStoreUnavailableException("away", false, null))
                        .advice())
                .startsWith("Nothing was changed.");
    }
}
