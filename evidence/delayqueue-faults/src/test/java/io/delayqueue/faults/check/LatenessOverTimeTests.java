// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.delayqueue.faults.check.CheckSettings.Window;
import io.delayqueue.faults.history.Entry;
import io.delayqueue.faults.history.Event;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Here a millisecond of the histories is the same of the Redis server, from 0. */
class LatenessOverTimeTests {

    private final LatenessOverTime lateness =
            new LatenessOverTime(new Window(0, 30_000_000), 10_000_000, List.of(new Window(11_000_000, 12_000_000)));

    @Test
    void slicesWhenTasksAreLateTellWhenTheyWereDue() {
        lateness.add(started(9_990, 20, 1));
        lateness.add(started(9_000, 2, 1));
        lateness.add(arrived(10_001, 7));
        assertThat(lateness.slices()).hasSize(3);
        assertThat(lateness.slices().get(0).all())
                .isEqualTo(new Lateness(2, Duration.ofMillis(2), Duration.ofMillis(20), Duration.ofMillis(20)));
        assertThat(lateness.slices().get(1).calm().max()).isEqualTo(Duration.ofMillis(7));
        assertThat(lateness.slices().get(2).all().count()).isZero();
    }

    @Test
    void slicesWhenATaskWasDueDuringAFaultCountItInAllAlone() {
        lateness.add(started(11_500, 3_000, 1));
        lateness.add(started(12_001, 4, 1));
        assertThat(lateness.slices().get(1).all().count()).isEqualTo(2);
        assertThat(lateness.slices().get(1).all().max()).isEqualTo(Duration.ofSeconds(3));
        assertThat(lateness.slices().get(1).calm().count()).isOne();
        assertThat(lateness.slices().get(1).calm().max()).isEqualTo(Duration.ofMillis(4));
    }

    @Test
    void slicesWhenAnAttemptIsALaterOneOrOutsideOfTheTimeLeaveItOut() {
        lateness.add(started(5_000, 9, 2));
        lateness.add(started(-5, 2, 1));
        lateness.add(started(30_000, 2, 1));
        lateness.add(entry(5_000, new Event.Settled(1, true)));
        assertThat(lateness.slices())
                .allSatisfy(slice -> assertThat(slice.all().count()).isZero());
    }

    /** The rest after whole slices counts as a slice if it is at least half as long. */
    @Test
    void slicesWhenTimeIsLeftOverAreAsMany() {
        assertThat(slices(34)).isEqualTo(3);
        assertThat(slices(35)).isEqualTo(4);
        assertThat(slices(3)).isEqualTo(1);
    }

    private static int slices(long time) {
        return new LatenessOverTime(new Window(0, time), 10, List.of()).slices().size();
    }

    private static Entry started(long dueMillis, long late, int attempt) {
        long at = dueMillis + late;
        return entry(at, new Event.Started("queue", "id", "v", 1, attempt, dueMillis, at * 1000));
    }

    private static Entry arrived(long dueMillis, long late) {
        long at = dueMillis + late;
        return entry(at, new Event.Arrived("queue", "id", "v", 1, 1, dueMillis, at * 1000, false));
    }

    private static Entry entry(long millis, Event event) {
        return new Entry("a", 1, millis * 1000, millis, event);
    }
}
