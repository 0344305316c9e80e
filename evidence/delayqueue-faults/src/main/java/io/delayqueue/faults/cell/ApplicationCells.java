// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.cell;

import java.time.Duration;
import java.util.List;

/** Cells without a fault, and cells with faults of the applications. */
final class ApplicationCells {

    private static final Duration BETWEEN_KILLS = Duration.ofSeconds(5);

    private ApplicationCells() {}

    static List<Cell> all() {
        return List.of(
                Cell.of("quiet", "No fault", Fault.NONE),
                atWork(Cell.of("short", "An application is killed, and shortly afterwards Redis", scene -> {
                            scene.applications().awaitAtWork(0);
                            scene.applications().kill(0);
                            scene.applications().replace(0);
                            scene.pause(scene.length().dividedBy(2));
                            RedisCells.killAndStart(scene);
                            scene.applications().awaitStarted(0);
                        }))
                        // Few tasks are due after a second of warm-up, and some must be in progress when the fault
                        // happens.
                        .with("faults.slow-time=300ms"),
                atWork(Cell.of("application-kill-one", "The applications are killed in turn, one every 5 s", scene -> {
                    int[] next = {0};
                    scene.repeat(BETWEEN_KILLS, () -> {
                        int place = next[0]++ % count(scene);
                        scene.applications().awaitAtWork(place);
                        killAndReplace(scene, place);
                    });
                })),
                atWork(Cell.of(
                                "limits-kill-one",
                                "Keys have a rate and a concurrency of 1; the applications are killed in turn, one"
                                        + " every 5 s",
                                scene -> {
                                    int[] next = {0};
                                    scene.repeat(BETWEEN_KILLS, () -> {
                                        int place = next[0]++ % count(scene);
                                        scene.applications().awaitAtWork(place);
                                        killAndReplace(scene, place);
                                    });
                                }))
                        .withKeyLimits(),
                atWork(Cell.of("application-kill-all", "All applications are killed at once, every 5 s", scene -> {
                    scene.repeat(BETWEEN_KILLS, () -> {
                        scene.applications().awaitAtWork(0);
                        killAndReplaceAll(scene);
                    });
                })),
                atWork(Cell.of("application-freeze", "An application is frozen for two leases", scene -> {
                            scene.applications().awaitAtWork(0);
                            scene.applications().suspend(0);
                            scene.pause(CellTiming.LEASE.multipliedBy(2));
                            scene.applications().resume(0);
                        })
                        .lasting(CellTiming.LEASE.multipliedBy(2))),
                atWork(Cell.of("application-stop", "An application is shut down while it works", scene -> {
                    scene.applications().awaitAtWork(0);
                    scene.applications().terminate(0);
                    scene.applications().replace(0);
                    scene.applications().awaitStarted(0);
                })));
    }

    /** Returns the cell with slow handlers, so that some are in progress when their process fails. */
    static Cell atWork(Cell cell) {
        return cell.with("faults.slow-percent=50");
    }

    private static int count(Scene scene) {
        return scene.applications().count();
    }

    static void killAndReplace(Scene scene, int place) throws InterruptedException {
        scene.applications().kill(place);
        scene.applications().replace(place);
        scene.applications().awaitStarted(place);
    }

    static void killAndReplaceAll(Scene scene) throws InterruptedException {
        for (int place = 0; place < count(scene); place++) {
            scene.applications().kill(place);
        }
        for (int place = 0; place < count(scene); place++) {
            scene.applications().replace(place);
        }
        for (int place = 0; place < count(scene); place++) {
            scene.applications().awaitStarted(place);
        }
    }
}
