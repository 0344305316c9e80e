// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.test.server;

import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The process (epmd) that gives Erlang nodes each other's ports. This class starts the port mapper before the
 * first node, because a port mapper that Erlang starts would outlive its node.
 */
final class PortMapper {

    private final RabbitPrograms programs;
    private final ServerFolder folder;
    private final int port = FreePort.next();
    private final String cookie = UUID.randomUUID().toString();
    private @Nullable ServerProcess process;

    PortMapper(RabbitPrograms programs, ServerFolder folder) {
        this.programs = programs;
        this.folder = folder;
    }

    int port() {
        return port;
    }

    /** Returns the secret that the nodes of one cluster share. */
    String cookie() {
        return cookie;
    }

    /** Starts it, unless it is running. */
    synchronized void start() {
        if (process == null || !process.isAlive()) {
            process = ServerProcess.start(
                    List.of(programs.epmd().toString(), "-port", "" + port, "-address", "127.0.0.1"),
                    Map.of("HOME", folder.path().toString()),
                    folder,
                    folder.log());
        }
    }

    synchronized void stop() {
        if (process != null) {
            process.kill();
            process = null;
        }
    }
}
