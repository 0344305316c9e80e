// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ShardAgendaTests {

    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

    private final ShardAgenda agenda = new ShardAgenda(3);
    private final long now = System.nanoTime();

    @Test
    void dueWhenNewIsEveryShardAndBeginsWithAnotherEachTime() {
        assertThat(agenda.due(now)).containsExactly(1, 2, 0);
        assertThat(agenda.due(now)).containsExactly(2, 0, 1);
        assertThat(agenda.due(now)).containsExactly(0, 1, 2);
    }

    @Test
    void dueWhenShardsAreScheduledIsOnlyThoseWhoseTimeHasCome() {
        agenda.scanAt(0, now + SECOND);
        agenda.scanAt(1, now - 1);
        agenda.scanAt(2, now + 2 * SECOND);
        assertThat(agenda.due(now)).containsExactly(1);
        agenda.scanAt(1, now + 3 * SECOND);
        assertThat(agenda.due(now)).isEmpty();
        assertThat(agenda.nanosUntilNext(now)).isEqualTo(SECOND);
        assertThat(agenda.due(now + 2 * SECOND)).containsExactlyInAnyOrder(0, 2);
    }

    @Test
    void wakeWhenShardSleepsMakesItDueOnceAndKeepsItDueUntilScanned() {
        for (int shard = 0; shard < 3; shard++) {
            agenda.scanAt(shard, now + SECOND);
        }
        agenda.wake(2);
        assertThat(agenda.due(now)).containsExactly(2);
        assertThat(agenda.due(now))
                .as("not scanned yet, as when no worker was free")
                .containsExactly(2);
        agenda.scanAt(2, now + SECOND);
        assertThat(agenda.due(now)).isEmpty();
    }

    @Test
    void wakeWhenShardIsUnknownIsIgnored() {
        agenda.wake(3);
        agenda.wake(-1);
        agenda.wakeAll();
        assertThat(agenda.due(now)).hasSize(3);
    }
}
