// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.net;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;

/** A client's connection and its continuation to the server. Used only by the proxy's thread. */
final class Link {

    private static final int CONNECT_MILLIS = 1_000;

    private final SocketChannel client;
    private final SocketChannel server;
    private final SelectionKey clientKey;
    private final SelectionKey serverKey;
    private final Flow requests;
    private final Flow replies;
    private boolean silent;

    private Link(SocketChannel client, SocketChannel server, Selector selector) throws IOException {
        this.client = prepared(client);
        this.server = prepared(server);
        this.clientKey = client.register(selector, 0, this);
        this.serverKey = server.register(selector, 0, this);
        this.requests = new Flow(client, server, false);
        this.replies = new Flow(server, client, true);
    }

    /**
     * Connects to the server.
     *
     * @throws IOException if that fails; the client's connection is then closed
     */
    static Link open(SocketChannel client, InetSocketAddress target, Selector selector) throws IOException {
        SocketChannel server = SocketChannel.open();
        try {
            server.socket().connect(target, CONNECT_MILLIS);
            return new Link(client, server, selector);
        } catch (IOException ex) {
            reset(server);
            reset(client);
            throw ex;
        }
    }

    private static SocketChannel prepared(SocketChannel channel) throws IOException {
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        channel.configureBlocking(false);
        return channel;
    }

    /** Moves the bytes that can be moved now. Returns whether the connection continues; otherwise it is closed. */
    boolean move(ByteBuffer buffer, NetworkFault ofAll) {
        NetworkFault fault = silent ? NetworkFault.HALF_OPEN : ofAll;
        try {
            if (clientKey.isReadable() && requests.wantsToRead(fault)) {
                requests.read(buffer, fault);
            }
            if (serverKey.isReadable() && replies.wantsToRead(fault)) {
                replies.read(buffer, fault);
            }
            long now = System.nanoTime();
            requests.write(fault, now);
            replies.write(fault, now);
            clientKey.interestOps(interest(requests, replies, fault, now));
            serverKey.interestOps(interest(replies, requests, fault, now));
            if (requests.hasEnded() && replies.hasEnded()) {
                // Do not reset: the last bytes may still be in transit.
                client.close();
                server.close();
                return false;
            }
            return true;
        } catch (IOException brokenOnOneSide) {
            reset();
            return false;
        }
    }

    private static int interest(Flow from, Flow to, NetworkFault fault, long now) {
        return (from.wantsToRead(fault) ? SelectionKey.OP_READ : 0)
                | (to.wantsToWrite(fault, now) ? SelectionKey.OP_WRITE : 0);
    }

    long nanosUntilDue(long now) {
        return Math.min(requests.nanosUntilDue(now), replies.nanosUntilDue(now));
    }

    /** Returns whether the server sees this client port. */
    boolean comesFrom(int port) throws IOException {
        return ((InetSocketAddress) server.getLocalAddress()).getPort() == port;
    }

    /** Freezes the connection from now on. */
    void silence() {
        silent = true;
    }

    boolean hasHole() {
        return replies.hasHole();
    }

    /** Ends both connections, so that their peers read "reset". */
    void reset() {
        reset(client);
        reset(server);
    }

    static void reset(SocketChannel channel) {
        try (channel) {
            if (channel.isConnected()) {
                channel.setOption(StandardSocketOptions.SO_LINGER, 0);
            }
        } catch (IOException alreadyGone) {
            // This is intended.
        }
    }
}
