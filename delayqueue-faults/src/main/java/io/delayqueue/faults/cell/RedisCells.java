// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.cell;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Faults of a single Redis that syncs every write. */
final class RedisCells {

    private static final Duration SECOND = Duration.ofSeconds(1);

    private RedisCells() {}

    static List<Cell> all() {
        List<Cell> cells = new ArrayList<>();
        cells.add(Cell.of("redis-kill", "Redis is killed and started again, every 5 s", scene -> {
            scene.repeat(SECOND.multipliedBy(5), () -> killAndStart(scene));
        }));
        for (int seconds : new int[] {1, 10, 30}) {
            cells.add(frozenFor(seconds));
        }
        cells.add(Cell.of("redis-pause", "CLIENT PAUSE for 3 s, every 5 s", scene -> {
            scene.repeat(SECOND.multipliedBy(5), () -> {
                scene.note("redis paused for 3 s");
                scene.servers().admin().call("CLIENT", "PAUSE", "3000", "ALL");
            });
        }));
        cells.add(Cell.of("redis-client-kill", "All connections of the applications are closed every 500 ms", scene -> {
            scene.note("redis closes connections");
            scene.repeat(SECOND.dividedBy(2), () -> killClients(scene));
        }));
        cells.add(Cell.of("redis-script-flush", "The scripts are flushed every 200 ms", scene -> {
            scene.note("redis forgets scripts");
            scene.repeat(SECOND.dividedBy(5), () -> scene.servers().admin().call("SCRIPT", "FLUSH"));
        }));
        cells.add(Cell.of("redis-full", "Redis may use no more memory, and then may again", RedisCells::full));
        cells.add(Cell.of(
                "redis-rights", "The applications' user loses its rights, and gets them back", RedisCells::rights));
        return cells;
    }

    private static Cell frozenFor(int seconds) {
        Duration time = SECOND.multipliedBy(seconds);
        return Cell.of("redis-freeze-" + seconds + "s", "Redis is frozen for " + seconds + " s", scene -> {
                    scene.note("redis frozen");
                    scene.servers().redis().suspend();
                    scene.pause(time);
                    scene.servers().redis().resume();
                    scene.note("redis goes on");
                })
                .lasting(time);
    }

    private static void killAndStart(Scene scene) {
        scene.note("redis killed");
        scene.servers().redis().kill();
        scene.servers().redis().start();
        scene.note("redis started");
    }

    private static void killClients(Scene scene) {
        scene.servers().admin().call("CLIENT", "KILL", "USER", StandaloneServers.USER);
    }

    private static void full(Scene scene) throws InterruptedException {
        scene.note("redis full");
        scene.servers().admin().call("CONFIG", "SET", "maxmemory", "1mb");
        scene.pause(scene.length());
        scene.servers().admin().call("CONFIG", "SET", "maxmemory", "0");
        scene.note("redis has memory again");
    }

    private static void rights(Scene scene) throws InterruptedException {
        scene.note("rights revoked");
        scene.servers().admin().call("ACL", "SETUSER", StandaloneServers.USER, "-@all");
        scene.pause(scene.length());
        scene.servers().admin().call("ACL", "SETUSER", StandaloneServers.USER, "+@all");
        scene.note("rights restored");
    }
}
