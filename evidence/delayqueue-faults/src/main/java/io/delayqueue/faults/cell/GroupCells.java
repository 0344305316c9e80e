// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.cell;

import io.delayqueue.faults.load.LoadApplication;
import java.time.Duration;
import java.util.List;

/**
 * Groups of tasks are cancelled while they migrate to other shards and a replica becomes the master. All shards are on
 * one server, so that a replica from which a task has gone has it at its new shard.
 */
final class GroupCells {

    private static final String GROUPED = "faults.grouped=true";

    /** After which applications are about in the midst of it. */
    private static final Duration MIGRATING = Duration.ofMillis(250);

    private GroupCells() {}

    static List<Cell> all() {
        return List.of(
                Cell.of(
                                "groups-resize-switchover",
                                "Groups of tasks are cancelled while the number of shards changes and Sentinels promote"
                                        + " a replica by command",
                                scene -> resizing(scene, () -> FailoverCells.switchOver(scene)))
                        .on(SentinelServers::new)
                        .with(GROUPED),
                Cell.of(
                                "groups-resize-kill",
                                "The same, but the master that Sentinels watch is killed, and each call waits for both"
                                        + " replicas",
                                scene -> resizing(scene, () -> {
                                    scene.pause(scene.chance().pause(MIGRATING));
                                    FailoverCells.killMaster(scene);
                                }))
                        .on(SentinelServers::new)
                        .with(GROUPED, FailoverCells.WAIT_FOR_ALL));
    }

    private static void resizing(Scene scene, Scene.Action failover) throws Exception {
        int[] shards = {FailoverCells.SHARDS};
        scene.repeat(FailoverCells.BETWEEN, () -> {
            shards[0] = 5 + (shards[0] + 3) % 9;
            scene.admin().resize(LoadApplication.HANDLED, shards[0]);
            scene.admin().resize(LoadApplication.FORWARDED, shards[0]);
            failover.perform();
        });
    }
}
