// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.rabbit.connection;

import com.rabbitmq.client.SocketConfigurator;
import io.delayqueue.internal.concurrent.Guard;
import io.delayqueue.internal.concurrent.Scheduler;
import java.io.IOException;
import java.net.Socket;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Frees threads that hang in a write. If the broker does not read, because it is frozen or has a resource alarm, the
 * TCP buffers fill up and writes block without a time-out. The guard then closes the socket.
 */
public final class SocketGuard {

    private static final Logger log = LoggerFactory.getLogger(SocketGuard.class);
    private static final Duration TICK = Duration.ofMillis(50);

    private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
    private final Set<Watch> guarding = ConcurrentHashMap.newKeySet();
    private final Scheduler clock;
    private final Runnable onBreak;
    private final AtomicBoolean ticking = new AtomicBoolean();
    private volatile boolean refusing;

    /**
     * @param clock the timer, which must not run blocking steps
     * @param onBreak called before the guard closes the connection
     */
    public SocketGuard(Scheduler clock, Runnable onBreak) {
        this.clock = clock;
        this.onBreak = onBreak;
    }

    /** Returns a configurator that calls the original one and monitors each socket. Throws after {@link #refuse}. */
    public SocketConfigurator keeping(SocketConfigurator original) {
        return socket -> {
            original.configure(socket);
            sockets.removeIf(Socket::isClosed);
            sockets.add(socket);
            if (refusing) {
                sockets.remove(socket);
                throw new IOException("closed");
            }
        };
    }

    /** Refuses further sockets, so that connecting fails for each remaining address. */
    public void refuse() {
        refusing = true;
    }

    /** Returns a new watch, for one thread at a time. */
    public Watch watch() {
        return new Watch();
    }

    /** Closes the connection's socket. Does not block. */
    public void breakConnection() {
        Guard.run(log, "Could not process the end of a connection", onBreak);
        for (Socket socket : sockets) {
            if (sockets.remove(socket)) {
                resetElsewhere(socket);
            }
        }
    }

    /** Resets the socket on a separate thread, or on this thread if no other can be created. */
    private static void resetElsewhere(Socket socket) {
        try {
            BrokerConnection.THREADS.newThread(() -> reset(socket)).start();
        } catch (Throwable ex) {
            Guard.run(log, "Could not close a socket", () -> reset(socket));
        }
    }

    /**
     * Starts the checks unless they are running. Checks only while a call is guarded, so that an idle process does not
     * wake up twenty times a second.
     */
    private void tickUnlessTicking() {
        if (!ticking.get() && ticking.compareAndSet(false, true)) {
            try {
                clock.after(TICK, this::tick);
            } catch (RejectedExecutionException ex) {
                log.debug("Closed");
            } catch (Throwable ex) {
                ticking.set(false);
                throw ex;
            }
        }
    }

    private void tick() {
        Guard.run(log, "Could not check for hanging writes; checking again at the next tick", this::breakWhenOverdue);
        ticking.set(false);
        if (!guarding.isEmpty()) {
            tickUnlessTicking();
        }
    }

    private void breakWhenOverdue() {
        long now = System.nanoTime();
        for (Watch watch : guarding) {
            if (now - watch.deadline > 0) {
                watch.end();
                log.debug("The broker has not read the written data for too long");
                breakConnection();
            }
        }
    }

    /** Resets a socket without lingering. A normal close of a TLS socket would wait for the hanging writer. */
    private static void reset(Socket socket) {
        try {
            socket.setSoLinger(true, 0);
        } catch (IOException ex) {
            log.debug("The socket is already closed", ex);
        }
        try {
            socket.close();
        } catch (IOException ex) {
            log.debug("Could not close the socket", ex);
        }
    }

    /** Guards one call at a time. */
    public final class Watch {

        private volatile long deadline;

        /** Starts guarding a call, or changes its limit. */
        public void begin(Duration limit) {
            deadline = System.nanoTime() + limit.toNanos();
            guarding.add(this);
            tickUnlessTicking();
        }

        /** Stops guarding the call. */
        public void end() {
            guarding.remove(this);
        }
    }
}
