// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.cell;

import java.time.Duration;
import java.util.List;

/** Outages that are longer than first attempts may be late, where of each group only the latest task is delivered. */
final class MisfireCells {

    private static final Duration OUTAGE = Duration.ofSeconds(6);
    private static final Duration BETWEEN = Duration.ofSeconds(4);

    private MisfireCells() {}

    static List<Cell> all() {
        return List.of(Cell.of(
                        "misfire-latest",
                        "Redis is frozen for 6 s, then all applications are killed, while of each group only the latest"
                                + " misfire is delivered",
                        MisfireCells::outages)
                .with(
                        "faults.grouped=true",
                        "delayqueue.defaults.misfire.policy=latest-of-group",
                        "delayqueue.defaults.misfire.threshold=2s")
                .lasting(Duration.ofSeconds(30)));
    }

    private static void outages(Scene scene) throws Exception {
        scene.repeat(BETWEEN, () -> {
            scene.during("redis SIGSTOP 6 s", () -> {
                scene.servers().redis().suspend();
                scene.pause(OUTAGE);
                scene.servers().redis().resume();
            });
            scene.pause(BETWEEN);
            ApplicationCells.killAndReplaceAll(scene);
        });
    }
}
