// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.cell;

import java.time.Duration;
import java.util.List;

/**
 * Cells that make the clock of Redis jump, which determines all times. The clock ends at the later time, so that no
 * task is due long after the run.
 */
final class ClockCells {

    private static final Duration JUMP = Duration.ofMinutes(10);
    private static final Duration TWO_LEASES = CellTiming.LEASE.multipliedBy(2);

    /**
     * The expiry of overdue tasks. It is longer than the time outside the delivery hours, and longer than the
     * clock is wrong.
     */
    private static final String EXPIRES_AFTER = "delayqueue.defaults.expires-after=2m";
    /** After this jump, the delivery hours have started again. */
    private static final Duration PAST_THE_NIGHT = Duration.ofSeconds(100);

    private ClockCells() {}

    static List<Cell> all() {
        return List.of(
                Cell.of(
                                "clock-forward",
                                "The clock of Redis jumps 10 minutes ahead, back, and ahead",
                                ClockCells::forward)
                        .on(ClockServers::new)
                        .lasting(TWO_LEASES.multipliedBy(2)),
                Cell.of("clock-back", "The clock of Redis jumps 10 minutes back, and ahead again", ClockCells::back)
                        .on(ClockServers::new)
                        .lasting(TWO_LEASES),
                Cell.of(
                                "clock-hours",
                                "The clock of Redis jumps 10 minutes ahead, outside the delivery hours;"
                                        + " tasks that were due expire",
                                ClockCells::intoTheNight)
                        .on(() -> new HoursServers(JUMP))
                        .with(EXPIRES_AFTER)
                        .lasting(PAST_THE_NIGHT),
                Cell.of(
                                "clock-hours-back",
                                "The clock of Redis jumps 10 minutes back, outside the delivery hours, and ahead"
                                        + " again, when tasks that were stored in between have expired",
                                ClockCells::back)
                        .on(() -> new HoursServers(JUMP.negated()))
                        .with(EXPIRES_AFTER)
                        .lasting(PAST_THE_NIGHT));
    }

    private static void forward(Scene scene) throws Exception {
        scene.during("redis clock 10 minutes ahead, back, and ahead", () -> {
            move(scene, JUMP);
            scene.pause(scene.length().dividedBy(2));
            move(scene, Duration.ZERO);
            scene.pause(scene.length().dividedBy(2));
            move(scene, JUMP);
        });
    }

    private static void intoTheNight(Scene scene) throws Exception {
        scene.during("redis clock 10 minutes ahead", () -> {
            move(scene, JUMP);
            scene.pause(scene.length());
        });
    }

    private static void back(Scene scene) throws Exception {
        scene.during("redis clock 10 minutes back", () -> {
            move(scene, JUMP.negated());
            scene.pause(scene.length());
            move(scene, Duration.ZERO);
        });
    }

    private static void move(Scene scene, Duration offset) throws Exception {
        scene.settingClock(() -> scene.servers(ClockServers.class).moveClock(offset));
    }
}
