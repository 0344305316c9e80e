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
 * Frees threads that hang in a write. A broker that does not read, because it is frozen or has an alarm, fills the
 * buffers of TCP. A blocking write then has no time-out of its own, so the guard closes its socket.
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
     * @param clock must run no step that blocks
     * @param onBreak called before the guard closes the connection
     */
    public SocketGuard(Scheduler clock, Runnable onBreak) {
        this.clock = clock;
        this.onBreak = onBreak;
    }

    /** Keeps each socket that the original configures. Throws once sockets are {@linkplain #refuse refused}. */
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

    /** Refuses sockets from now on, so that connecting fails at each address that is still to be tried. */
    public void refuse() {
        refusing = true;
    }

    /** Returns a new watch for one thread at a time. */
    public Watch watch() {
        return new Watch();
    }

    /** Closes the connection's socket. Returns at once. */
    public void breakConnection() {
        Guard.run(log, "What follows the end of the connection failed", onBreak);
        for (Socket socket : sockets) {
            if (sockets.remove(socket)) {
                resetElsewhere(socket);
            }
        }
    }

    /** Resets the socket here if no thread can be created: a thread that hangs in a write is worse. */
    private static void resetElsewhere(Socket socket) {
        try {
            BrokerConnection.THREADS.newThread(() -> reset(socket)).start();
        } catch (Throwable ex) {
            Guard.run(log, "A socket could not be closed", () -> reset(socket));
        }
    }

    /** Ticks only while something is guarded: an idle process does not wake twenty times a second. */
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
        Guard.run(log, "Looking for writes that hang failed; the next tick looks again", this::breakWhenOverdue);
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
                log.debug("The broker has not read for too long what was written to it");
                breakConnection();
            }
        }
    }

    /**
     * Resets a socket without lingering: a TLS socket would otherwise wait for the writer that hangs before it says
     * good-bye. It waits on a thread of its own in any case.
     */
    private static void reset(Socket socket) {
        try {
            socket.setSoLinger(true, 0);
        } catch (IOException ex) {
            log.debug("The socket is closed already", ex);
        }
        try {
            socket.close();
        } catch (IOException ex) {
            log.debug("Closing the socket failed", ex);
        }
    }

    /** Guards one call at a time. */
    public final class Watch {

        private volatile long deadline;

        /** Begins to guard a call, or gives another limit to the one that is guarded. */
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
