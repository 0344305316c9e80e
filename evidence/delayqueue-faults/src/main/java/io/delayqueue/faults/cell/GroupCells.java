// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.cell;

import java.time.Duration;
import java.util.List;
import java.util.Random;

/**
 * Cells that cancel groups of tasks while the tasks migrate to other shards and a replica becomes the master. All
 * shards are on one server, so that a replica that no longer has a task in its old shard has it in the new one.
 */
final class GroupCells {

    private static final String GROUPED = "faults.grouped=true";

    /** Within this time, applications start to migrate tasks and, on a fast machine, finish. */
    private static final Duration MIGRATING = Duration.ofMillis(250);

    private GroupCells() {}

    static List<Cell> all() {
        return List.of(
                Cell.of(
                                "groups-reshard-switchover",
                                "Groups of tasks are cancelled while the number of shards changes and Sentinels promote"
                                        + " a replica by command",
                                scene -> resharding(scene, () -> FailoverCells.switchOver(scene)))
                        .on(SentinelServers::new)
                        .with(GROUPED),
                Cell.of(
                                "groups-reshard-kill",
                                "Groups of tasks are cancelled while the number of shards changes and the master that"
                                        + " Sentinels watch is killed; each call waits for both replicas",
                                GroupCells::reshardAndKill)
                        .on(SentinelServers::new)
                        .with(GROUPED, FailoverCells.WAIT_FOR_ALL));
    }

    private static void reshardAndKill(Scene scene) throws Exception {
        Random moments = scene.chance().random("moments of kills while tasks migrate");
        resharding(scene, () -> {
            scene.pause(Duration.ofMillis(moments.nextInt((int) MIGRATING.toMillis())));
            FailoverCells.killMaster(scene);
        });
    }

    private static void resharding(Scene scene, Scene.Action failover) throws Exception {
        int[] shards = {FailoverCells.SHARDS};
        scene.repeat(FailoverCells.BETWEEN, () -> {
            shards[0] = 5 + (shards[0] + 3) % 9;
            scene.reshard(shards[0]);
            failover.perform();
        });
    }
}
