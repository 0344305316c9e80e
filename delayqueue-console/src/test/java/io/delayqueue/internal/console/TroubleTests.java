// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.console;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayqueue.DelayQueueException;
import io.delayqueue.TaskStoreBusyException;
import io.delayqueue.TaskStoreCorruptException;
import io.delayqueue.TaskStoreFullException;
import io.delayqueue.TaskStoreTimeoutException;
import io.delayqueue.TaskStoreUnavailableException;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class TroubleTests {

    static Stream<Arguments> errorsOfRedis() {
        return Stream.of(
                Arguments.of(new TaskStoreUnavailableException("away", false, null), 503, "Redis did not answer"),
                Arguments.of(new TaskStoreFullException("full", false, null), 503, "Redis is full"),
                Arguments.of(new TaskStoreBusyException("busy"), 503, "Too many calls are under way"),
                Arguments.of(new TaskStoreCorruptException("odd", false, null), 500, "Redis has something"),
                Arguments.of(new DelayQueueException("odd"), 500, "That went wrong"));
    }

    @ParameterizedTest
    @MethodSource("errorsOfRedis")
    void troubleSaysWhatIsTheMatter(DelayQueueException ex, int status, String title) {
        Trouble trouble = Trouble.of(ex);

        assertThat(trouble.status()).isEqualTo(status);
        assertThat(trouble.title()).startsWith(title);
        assertThat(trouble.message()).isEqualTo(ex.getMessage());
        assertThat(trouble.advice()).isNotEmpty();
    }

    @Test
    void troubleSaysWhetherSomethingMayHaveBeenDone() {
        assertThat(Trouble.of(new TaskStoreTimeoutException("late", true, null)).advice())
                .startsWith("What was asked for may have been done or not");
        assertThat(Trouble.of(new TaskStoreUnavailableException("away", false, null))
                        .advice())
                .startsWith("Nothing was changed.");
    }
}
