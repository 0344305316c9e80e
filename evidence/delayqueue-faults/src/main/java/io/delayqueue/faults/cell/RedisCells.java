// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.cell;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Cells with faults of a single Redis that syncs every write. */
final class RedisCells {

    private static final Duration SECOND = Duration.ofSeconds(1);

    private RedisCells() {}

    static List<Cell> all() {
        List<Cell> cells = new ArrayList<>();
        cells.add(Cell.of("redis-kill", "Redis is killed and restarted, every 5 s", scene -> {
            scene.repeat(
                    SECOND.multipliedBy(5),
                    () -> scene.during("redis kill -9", () -> {
                        scene.servers().redis().kill();
                        scene.servers().redis().start();
                    }));
        }));
        for (int seconds : new int[] {1, 10, 30}) {
            cells.add(frozenFor(SECOND.multipliedBy(seconds)));
        }
        cells.add(Cell.of("redis-pause", "CLIENT PAUSE for 3 s, every 6 s", scene -> {
            scene.repeat(
                    SECOND.multipliedBy(3),
                    () -> scene.during("CLIENT PAUSE 3000", () -> {
                        scene.servers().admin().call("CLIENT", "PAUSE", "3000", "ALL");
                        scene.pause(SECOND.multipliedBy(3));
                    }));
        }));
        cells.add(Cell.of("redis-client-kill", "All connections of the applications are closed every 500 ms", scene -> {
            scene.during("CLIENT KILL", () -> scene.repeat(SECOND.dividedBy(2), () -> killClients(scene)));
        }));
        cells.add(Cell.of("redis-script-flush", "The scripts are flushed every 200 ms", scene -> {
            scene.during(
                    "SCRIPT FLUSH",
                    () -> scene.repeat(
                            SECOND.dividedBy(5), () -> scene.servers().admin().call("SCRIPT", "FLUSH")));
        }));
        cells.add(Cell.of("redis-full", "Redis has no free memory for a while", scene -> {
            scene.during("maxmemory", () -> {
                scene.servers().admin().call("CONFIG", "SET", "maxmemory", "1mb");
                scene.pause(scene.length());
                scene.servers().admin().call("CONFIG", "SET", "maxmemory", "0");
            });
        }));
        cells.add(Cell.of("redis-rights", "The Redis user of the applications loses its rights for a while", scene -> {
            scene.during("rights revoked", () -> {
                scene.servers().revokeRights();
                scene.pause(scene.length());
                scene.servers().restoreRights();
            });
        }));
        return cells;
    }

    static void killAndStart(Scene scene) throws Exception {
        scene.during("redis kill -9", () -> {
            scene.servers().redis().kill();
            scene.servers().redis().start();
        });
    }

    private static Cell frozenFor(Duration time) {
        String seconds = time.toSeconds() + " s";
        return Cell.of("redis-freeze-" + time.toSeconds() + "s", "Redis is frozen for " + seconds, scene -> {
                    scene.during("redis SIGSTOP " + seconds, () -> {
                        scene.servers().redis().suspend();
                        scene.pause(time);
                        scene.servers().redis().resume();
                    });
                })
                .lasting(time);
    }

    private static void killClients(Scene scene) {
        scene.servers().admin().call("CLIENT", "KILL", "USER", StandaloneServers.USER);
    }
}
