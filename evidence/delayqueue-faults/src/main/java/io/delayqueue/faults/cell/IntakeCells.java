// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.cell;

import java.time.Duration;
import java.util.List;

/**
 * Cells whose forwarded tasks are scheduled by messages to an intake, with faults of everything between the producer
 * and Redis.
 */
final class IntakeCells {

    private static final Duration BETWEEN = Duration.ofSeconds(5);
    private static final String CALLS = "Half of the calls are messages for an intake; ";

    private IntakeCells() {}

    static List<Cell> all() {
        return List.of(
                Cell.of("intake-kill", CALLS + "the applications are killed in turn, one every 5 s", scene -> {
                            int[] place = {0};
                            scene.repeat(BETWEEN, () -> ApplicationCells.killAndReplace(scene, place[0]++ % 2));
                        })
                        .on(IntakeServers::new),
                Cell.of("intake-rabbit-kill", CALLS + "RabbitMQ is killed and restarted, every 5 s", scene -> {
                            scene.repeat(BETWEEN, () -> RabbitCells.killAndStart(scene));
                        })
                        .on(IntakeServers::new),
                Cell.of("intake-redis-kill", CALLS + "Redis is killed and restarted, every 5 s", scene -> {
                            scene.repeat(BETWEEN, () -> RedisCells.killAndStart(scene));
                        })
                        .on(IntakeServers::new),
                Cell.of(
                                "intake-sentinel-kill",
                                CALLS + "the Redis master that Sentinels watch is killed",
                                FailoverCells::sentinelKill)
                        .on(IntakeSentinelServers::new)
                        .mayLose(FailoverCells.OF_KILL));
    }
}
