// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.cell;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** Cells with calls in database transactions, and faults of everything between the application and Redis. */
final class OutboxCells {

    private static final Duration BETWEEN_KILLS = Duration.ofSeconds(5);
    private static final Duration REDIS_DOWN = Duration.ofSeconds(20);
    private static final Duration DATABASE_DOWN = Duration.ofSeconds(2);

    private OutboxCells() {}

    static List<Cell> all() {
        List<Cell> cells = new ArrayList<>();
        cells.addAll(on("outbox-pg", "PostgreSQL", OutboxServers::postgres));
        cells.addAll(on("outbox-maria", "MariaDB", OutboxServers::mariaDb));
        return cells;
    }

    private static List<Cell> on(String prefix, String database, Supplier<OutboxServers> servers) {
        String calls = "Calls in transactions of " + database + ", a fifth rolled back; ";
        return List.of(
                Cell.of(prefix + "-kill", calls + "the applications are killed in turn, one every 5 s", scene -> {
                            int[] place = {0};
                            scene.repeat(BETWEEN_KILLS, () -> ApplicationCells.killAndReplace(scene, place[0]++ % 2));
                        })
                        .on(servers),
                Cell.of(prefix + "-redis", calls + "Redis is down for 20 s", scene -> redisDown(scene, () -> {}))
                        .on(servers)
                        .lasting(REDIS_DOWN),
                Cell.of(prefix + "-restart", calls + "the database is killed and restarted, every 7 s", scene -> {
                            scene.repeat(BETWEEN_KILLS, () -> databaseDown(scene));
                        })
                        .on(servers),
                Cell.of(
                                prefix + "-both",
                                calls + "Redis is down for 20 s, and the database and an application are killed",
                                scene -> redisDown(scene, () -> {
                                    databaseDown(scene);
                                    ApplicationCells.killAndReplace(scene, 0);
                                }))
                        .on(servers)
                        .lasting(REDIS_DOWN));
    }

    private static void redisDown(Scene scene, Scene.Action meanwhile) throws Exception {
        StandaloneServers servers = scene.servers(StandaloneServers.class);
        scene.during("redis down", () -> {
            servers.redis().kill();
            scene.pause(REDIS_DOWN.dividedBy(2));
            meanwhile.perform();
            scene.pause(REDIS_DOWN.dividedBy(2));
            servers.redis().start();
        });
    }

    private static void databaseDown(Scene scene) throws Exception {
        OutboxServers servers = scene.servers(OutboxServers.class);
        scene.during("database kill -9", () -> {
            servers.database().kill();
            scene.pause(DATABASE_DOWN);
            servers.database().start();
        });
    }
}
