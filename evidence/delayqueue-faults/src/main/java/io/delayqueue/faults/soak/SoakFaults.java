// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.soak;

import io.delayqueue.faults.cell.Cell;
import io.delayqueue.faults.cell.CellTiming;
import io.delayqueue.faults.cell.Cells;
import java.util.List;
import java.util.Random;

/**
 * Random faults of other cells: of the applications, Redis, RabbitMQ and the network in turn. The first application
 * survives all of them, because its resources at the end are compared.
 */
final class SoakFaults {

    private static final int OTHER = 1;

    private static final List<String> REDIS = List.of(
            "redis-kill",
            "redis-freeze-1s",
            "redis-freeze-10s",
            "redis-pause",
            "redis-client-kill",
            "redis-script-flush",
            "redis-full",
            "redis-rights");
    private static final List<String> RABBIT = List.of(
            "rabbit-kill", "rabbit-freeze", "rabbit-memory-alarm", "rabbit-topology", "rabbit-close-connections");
    private static final List<String> NETWORK = List.of(
            "redis-network-cut",
            "redis-network-drop-replies",
            "redis-network-half-open",
            "redis-network-delay",
            "redis-network-byte-by-byte",
            "rabbit-network-cut",
            "rabbit-network-drop-replies",
            "rabbit-network-half-open",
            "rabbit-network-delay",
            "rabbit-network-byte-by-byte");

    private final Deck<Deck<Cell>> kinds;

    SoakFaults(Random random) {
        Cells cells = new Cells();
        this.kinds = new Deck<>(
                List.of(
                        new Deck<>(ofApplications(), random),
                        new Deck<>(cells.named(REDIS), random),
                        new Deck<>(cells.named(RABBIT), random),
                        new Deck<>(cells.named(NETWORK), random)),
                random);
    }

    /** Returns the cell of the next fault. */
    Cell next() {
        return kinds.next().next();
    }

    private static List<Cell> ofApplications() {
        return List.of(
                Cell.of("application-kill", "The second application is killed, and another one started", scene -> {
                    scene.applications().kill(OTHER);
                    scene.applications().replace(OTHER);
                    scene.applications().awaitStarted(OTHER);
                }),
                Cell.of("application-stop", "The second application is shut down, and another one started", scene -> {
                    scene.applications().terminate(OTHER);
                    scene.applications().replace(OTHER);
                    scene.applications().awaitStarted(OTHER);
                }),
                Cell.of("application-freeze", "The first application is frozen for two leases", scene -> {
                    scene.applications().suspend(0);
                    scene.pause(CellTiming.LEASE.multipliedBy(2));
                    scene.applications().resume(0);
                }));
    }
}
