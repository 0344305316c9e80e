// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.cell;

import io.delayqueue.faults.load.LoadApplication;
import java.time.Duration;
import java.util.List;

/** Without a fault, but with more to do than usual. */
final class LoadCells {

    private static final int[] SHARDS = {11, 5, 8, 13};

    private LoadCells() {}

    static List<Cell> all() {
        return List.of(
                Cell.of("slow-handlers", "Most handlers take their time, so that calls meet tasks at work", Fault.NONE)
                        .with("faults.slow-percent=60"),
                Cell.of("resize", "The number of shards of both queues changes four times", LoadCells::resize));
    }

    private static void resize(Scene scene) throws InterruptedException {
        Duration pause = scene.length().dividedBy(SHARDS.length);
        for (int shards : SHARDS) {
            scene.admin().resize(LoadApplication.HANDLED, shards);
            scene.admin().resize(LoadApplication.FORWARDED, shards);
            scene.pause(pause);
        }
    }
}
