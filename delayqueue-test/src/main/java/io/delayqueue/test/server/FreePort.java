// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.test.server;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Picks ports below the range that the operating system uses for outgoing connections. A client that repeatedly
 * connects to a stopped server in that range eventually connects to itself, and occupies the port of the server.
 */
final class FreePort {

    private static final int FROM = 15_000;
    private static final int TO = 32_000;
    private static final int BUS_OFFSET = 10_000;

    private FreePort() {}

    static int next() {
        for (int attempt = 0; attempt < 200; attempt++) {
            int port = ThreadLocalRandom.current().nextInt(FROM, TO);
            if (isFree(port)) {
                return port;
            }
        }
        throw new TestServerException("No free port found between " + FROM + " and " + TO);
    }

    /**
     * Returns a port for a node of a Redis Cluster, which also listens on the port that is 10,000 higher. The offset
     * cannot be changed before Redis 7.0.
     */
    static int nextOfClusterNode() {
        for (int attempt = 0; attempt < 200; attempt++) {
            int port = ThreadLocalRandom.current().nextInt(FROM, TO - BUS_OFFSET);
            if (isFree(port) && isFree(port + BUS_OFFSET)) {
                return port;
            }
        }
        throw new TestServerException("Found no two free ports that are " + BUS_OFFSET + " apart, starting at " + FROM);
    }

    private static boolean isFree(int port) {
        try (ServerSocket loopback = new ServerSocket(port, 1, InetAddress.getByName("127.0.0.1"))) {
            return loopback.isBound();
        } catch (IOException e) {
            return false;
        }
    }
}
