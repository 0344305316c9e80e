// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.cell;

import io.delayqueue.test.server.RabbitServer;
import io.delayqueue.test.server.RedisServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Cells with kills of servers other than those installed on this machine. Their runs must be made by {@link
 * RunProcess}.
 */
final class ServerCells {

    /**
     * The environment variable that names a folder with one folder per cell, which contains the programs of its
     * servers.
     */
    static final String PROGRAMS_VARIABLE = "DELAYQUEUE_FAULTS_PROGRAMS";

    private static final String VALKEY = "valkey-8";
    private static final String REDIS = "redis-8";
    private static final String RABBIT = "rabbitmq-4";

    private static final Duration PAUSE = Duration.ofSeconds(5);

    private ServerCells() {}

    static List<Cell> all() {
        return List.of(
                killing(VALKEY, "Valkey 8"),
                killing(REDIS, "Redis 8"),
                Cell.of(RABBIT, "RabbitMQ 4 is killed and restarted, every 5 s", scene -> {
                            scene.repeat(PAUSE, () -> RabbitCells.killAndStart(scene));
                        })
                        .on(() -> new NamedServers("RabbitMQ 4")));
    }

    private static Cell killing(String name, String server) {
        return Cell.of(
                        name,
                        server + " is killed and restarted, and 5 s later all applications are killed, alternately",
                        scene -> scene.repeat(PAUSE, () -> {
                            RedisCells.killAndStart(scene);
                            scene.pause(PAUSE);
                            ApplicationCells.killAndReplaceAll(scene);
                        }))
                .with("faults.slow-percent=50")
                .on(() -> new NamedServers(server));
    }

    /** Returns whether a cell is one of these. */
    static boolean isOne(String cell) {
        return List.of(VALKEY, REDIS, RABBIT).contains(cell);
    }

    /**
     * Returns the environment variables for a JVM that runs this cell, so that its servers use the programs that the
     * cell names; empty for any other cell.
     *
     * @throws IllegalStateException if the programs are missing
     */
    static Map<String, String> environment(String cell) {
        return environment(cell, System.getenv(PROGRAMS_VARIABLE));
    }

    static Map<String, String> environment(String cell, @Nullable String folder) {
        if (!isOne(cell)) {
            return Map.of();
        }
        Path programs = Path.of(folder == null ? "" : folder, cell).toAbsolutePath();
        Path server = programs.resolve(cell.equals(RABBIT) ? "rabbitmq-server" : "redis-server");
        if (folder == null || !Files.isExecutable(server)) {
            throw new IllegalStateException(cell + " has no server: there is no " + cell + "/" + server.getFileName()
                    + " in the folder that " + PROGRAMS_VARIABLE + " names"
                    + " (scripts/faults makes one as root on Debian)");
        }
        return cell.equals(RABBIT)
                ? Map.of(RabbitServer.PROGRAMS_VARIABLE, programs.toString())
                : Map.of(RedisServer.PROGRAM_VARIABLE, server.toString());
    }
}
