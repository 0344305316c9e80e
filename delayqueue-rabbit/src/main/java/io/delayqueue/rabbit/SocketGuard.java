// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.rabbit;

import com.rabbitmq.client.SocketConfigurator;
import io.delayqueue.internal.concurrent.Guard;
import io.delayqueue.internal.concurrent.Scheduler;
import java.io.IOException;
import java.net.Socket;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Frees threads that hang in a write. A broker that does not read, because it is frozen or has an alarm, fills the
 * buffers of TCP, and then a blocking write has no time-out of its own: the guard closes the socket under it.
 */
final class SocketGuard {

    private static final Logger log = LoggerFactory.getLogger(SocketGuard.class);
    private static final Duration TICK = Duration.ofMillis(50);

    private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
    private final Set<Watch> watches = ConcurrentHashMap.newKeySet();
    private final ThreadFactory threads = RabbitPublisher.THREADS;
    private final Scheduler clock;
    private final Runnable onBreak;
    private final AtomicBoolean ticking = new AtomicBoolean();
    private volatile boolean refusing;

    /** @param onBreak called whenever the guard closes the connection, before it does */
    SocketGuard(Scheduler clock, Runnable onBreak) {
        this.clock = clock;
        this.onBreak = onBreak;
    }

    /** Keeps each socket that the original is asked to configure; throws once they are {@linkplain #refuse refused}. */
    SocketConfigurator keeping(SocketConfigurator original) {
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

    /** No socket may come from now on, so that whoever connects fails at each address that he has not tried yet. */
    void refuse() {
        refusing = true;
    }

    /** Something that may hang; to be closed when it no longer can. */
    Watch watch() {
        Watch watch = new Watch();
        watches.add(watch);
        return watch;
    }

    /** Closes the connection's socket. Returns at once. */
    void breakConnection() {
        Guard.run(log, "What follows the end of the connection failed", onBreak);
        for (Socket socket : sockets) {
            if (sockets.remove(socket)) {
                resetElsewhere(socket);
            }
        }
    }

    /** Or here, where no thread can be made: a thread that hangs in a write is worse. */
    private void resetElsewhere(Socket socket) {
        try {
            threads.newThread(() -> reset(socket)).start();
        } catch (Throwable ex) {
            Guard.run(log, "A socket could not be closed", () -> reset(socket));
        }
    }

    /** Only while something is guarded: an idle process is not to wake twenty times a second. */
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
        Guard.run(log, "Looking for writes that hang failed and is done again", this::breakWhenOverdue);
        ticking.set(false);
        if (watches.stream().anyMatch(Watch::isGuarding)) {
            tickUnlessTicking();
        }
    }

    private void breakWhenOverdue() {
        long now = System.nanoTime();
        for (Watch watch : watches) {
            if (watch.isOverdue(now)) {
                watch.end();
                log.debug("The broker has not read for too long what was written to it");
                breakConnection();
            }
        }
    }

    /**
     * Without lingering: a TLS socket would otherwise wait for the writer that hangs before it said good-bye. It waits
     * on a thread of its own in any case.
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

    /** Guards one thing at a time, on behalf of one thread. */
    final class Watch implements AutoCloseable {

        private static final long NONE = 0;

        private volatile long deadline = NONE;

        void begin(Duration limit) {
            long at = System.nanoTime() + limit.toNanos();
            deadline = (at == NONE) ? 1 : at;
            tickUnlessTicking();
        }

        void end() {
            deadline = NONE;
        }

        private boolean isGuarding() {
            return deadline != NONE;
        }

        private boolean isOverdue(long now) {
            long at = deadline;
            return at != NONE && now - at > 0;
        }

        @Override
        public void close() {
            watches.remove(this);
        }
    }
}
