// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayqueue.internal.calls.BoundedWait;
import io.delayqueue.internal.store.HistoryStore;
import io.delayqueue.internal.store.InterceptedStore;
import io.delayqueue.internal.store.Shard;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The number of calls for reading a history. */
class TaskHistoryTests {

    private final List<Integer> asked = new ArrayList<>();

    /** A store whose shards have more entries than are read. */
    private final HistoryStore endless = InterceptedStore.of((none, method, arguments) -> {
                asked.add(((Shard) arguments[0]).index());
                return CompletableFuture.completedFuture(
                        new HistoryStore.Page(arguments[1] + "1", (int) arguments[2], List.of(), null));
            })
            .history();

    @Test
    void historyWhenAllShardsHaveALongOneCostsABoundedNumberOfCallsAndLeavesNoneOfThemOut() {
        TaskHistory history = new TaskHistory(endless, new BoundedWait(Duration.ofSeconds(1)));

        assertThat(history.of(new Shard("orders", 3), 16, true, "a")).isEmpty();

        assertThat(asked).hasSizeLessThanOrEqualTo(TaskHistory.MOST_CALLS).startsWith(3, 3);
        assertThat(asked).containsAll(IntStream.range(0, 16).boxed().toList());
    }
}
