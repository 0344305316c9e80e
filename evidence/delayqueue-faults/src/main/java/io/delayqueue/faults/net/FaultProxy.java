// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.net;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.LinkedHashSet;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Predicate;

/**
 * A TCP proxy on the loopback interface whose connections can be made to fail while they are used.
 *
 * <pre>{@code
 * try (FaultProxy proxy = FaultProxy.to(redis.host(), redis.port())) {
 *     connectTo(proxy.port());
 *     proxy.suffer(NetworkFault.DROP_REPLIES);
 *     ...
 *     proxy.suffer(NetworkFault.NONE);
 * }
 * }</pre>
 *
 * <p>The port always stays the same. A separate thread moves the bytes; calls may come from any other thread, and
 * return when they have taken effect.
 */
public final class FaultProxy implements AutoCloseable {

    /** Below the range of outgoing connections, where a client that connects to a closed port may connect to itself. */
    private static final int LOWEST_PORT = 15_000;

    private static final int HIGHEST_PORT = 32_000;

    private static final long IDLE_MILLIS = 1_000;
    private static final long ORDER_SECONDS = 10;

    private final InetSocketAddress target;
    private final Selector selector;
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(1 << 16);
    private final Queue<FutureTask<Void>> orders = new ConcurrentLinkedQueue<>();
    private final Set<Link> links = new LinkedHashSet<>();
    private final Thread thread;
    private final int port;
    private ServerSocketChannel listener;
    private SelectionKey listening;
    private NetworkFault fault = NetworkFault.NONE;
    private volatile boolean open = true;

    private FaultProxy(InetSocketAddress target) throws IOException {
        this.target = target;
        this.selector = Selector.open();
        this.listener = listenOnAFreePort();
        this.port = listener.socket().getLocalPort();
        this.listening = listener.register(selector, SelectionKey.OP_ACCEPT);
        this.thread = new Thread(this::run, "fault-proxy-" + port);
        thread.setDaemon(true);
    }

    /** Listens on a free port and forwards connections to the server, which need not run yet. */
    public static FaultProxy to(String host, int port) {
        try {
            FaultProxy proxy = new FaultProxy(new InetSocketAddress(host, port));
            proxy.thread.start();
            return proxy;
        } catch (IOException ex) {
            throw new UncheckedIOException("No proxy to " + host + ":" + port, ex);
        }
    }

    private static ServerSocketChannel listenOnAFreePort() throws IOException {
        IOException last = new IOException("no port was tried");
        for (int attempt = 0; attempt < 200; attempt++) {
            try {
                return listen(ThreadLocalRandom.current().nextInt(LOWEST_PORT, HIGHEST_PORT));
            } catch (IOException taken) {
                last = taken;
            }
        }
        throw last;
    }

    private static ServerSocketChannel listen(int port) throws IOException {
        ServerSocketChannel channel = ServerSocketChannel.open();
        try {
            channel.setOption(StandardSocketOptions.SO_REUSEADDR, true);
            channel.bind(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), port));
            channel.configureBlocking(false);
            return channel;
        } catch (IOException ex) {
            channel.close();
            throw ex;
        }
    }

    /** Returns the port for clients, on {@code 127.0.0.1}. */
    public int port() {
        return port;
    }

    /**
     * Applies this fault from now on, to existing and new connections.
     *
     * @throws IllegalStateException if the proxy is closed, or its port was taken while it was cut
     */
    public void suffer(NetworkFault next) {
        order(() -> change(next));
    }

    /**
     * Freezes one connection from now on, as with {@link NetworkFault#HALF_OPEN}, until it is reset. Other connections
     * are unaffected.
     *
     * @param port the client port of the connection as the server sees it
     * @return false if there is no such connection
     */
    public boolean silence(int port) {
        boolean[] found = {false};
        order(() -> {
            for (Link link : links) {
                if (link.comesFrom(port)) {
                    link.silence();
                    found[0] = true;
                }
            }
        });
        return found[0];
    }

    private void order(Order order) {
        if (!thread.isAlive()) {
            throw new IllegalStateException("The proxy is closed");
        }
        FutureTask<Void> task = new FutureTask<>(() -> {
            order.carryOut();
            return null;
        });
        orders.add(task);
        selector.wakeup();
        try {
            task.get(ORDER_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException ex) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted", ex);
        } catch (TimeoutException | ExecutionException ex) {
            throw new IllegalStateException("The proxy could not do it", ex);
        }
    }

    private void change(NetworkFault next) throws IOException {
        if (fault == NetworkFault.DROP_REPLIES) {
            resetWhere(Link::hasHole);
        }
        fault = next;
        if (fault == NetworkFault.CUT) {
            listener.close();
            // The port is free only when the selector has released the closed channels.
            resetWhere(link -> true);
            selector.selectNow();
            return;
        }
        if (!listener.isOpen()) {
            listener = listen(port);
            listening = listener.register(selector, 0);
        }
        listening.interestOps(fault.moves() ? SelectionKey.OP_ACCEPT : 0);
    }

    private void resetWhere(Predicate<Link> condition) {
        links.removeIf(link -> {
            boolean reset = condition.test(link);
            if (reset) {
                link.reset();
            }
            return reset;
        });
    }

    private void run() {
        try (Selector closing = selector) {
            while (open) {
                closing.select(millisUntilDue());
                closing.selectedKeys().clear();
                for (FutureTask<Void> order = orders.poll(); order != null; order = orders.poll()) {
                    order.run();
                }
                accept();
                links.removeIf(link -> !link.move(buffer, fault));
            }
        } catch (IOException ex) {
            throw new UncheckedIOException(ex);
        } finally {
            resetWhere(link -> true);
            close(listener);
        }
    }

    /** Returns milliseconds for the selector, where 0 means unlimited. */
    private long millisUntilDue() {
        if (!fault.moves()) {
            return IDLE_MILLIS;
        }
        long now = System.nanoTime();
        long nanos = TimeUnit.MILLISECONDS.toNanos(IDLE_MILLIS);
        for (Link link : links) {
            nanos = Math.min(nanos, link.nanosUntilDue(now));
        }
        return Math.max(1, TimeUnit.NANOSECONDS.toMillis(nanos));
    }

    /**
     * While the proxy is frozen, connections wait in the operating system's queue, and their clients consider them
     * open.
     */
    private void accept() throws IOException {
        if (!listener.isOpen() || !fault.moves()) {
            return;
        }
        for (SocketChannel client = listener.accept(); client != null; client = listener.accept()) {
            try {
                links.add(Link.open(client, target, selector));
            } catch (IOException serverIsAway) {
                // The closed connection tells the client.
            }
        }
    }

    private static void close(AutoCloseable resource) {
        try {
            resource.close();
        } catch (Exception alreadyGone) {
            // The connection is no longer needed.
        }
    }

    /** Resets all connections and releases the port. */
    @Override
    public void close() {
        open = false;
        selector.wakeup();
        try {
            thread.join(TimeUnit.SECONDS.toMillis(5));
        } catch (InterruptedException ex) {
            Thread.currentThread().interrupt();
        }
    }

    @FunctionalInterface
    private interface Order {

        void carryOut() throws IOException;
    }
}
