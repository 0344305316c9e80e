// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.outbox;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/**
 * An application within this JVM that can die as if it were killed: from one moment on, it has no effect on the
 * database or on Redis, and its open transactions are rolled back. It may have another {@link Fate} instead.
 * Thread-safe.
 */
final class Mortal {

    private final Set<Connection> connections = ConcurrentHashMap.newKeySet();
    private final ThreadLocal<Integer> openTransactions = ThreadLocal.withInitial(() -> 0);
    private final ConcurrentLinkedQueue<String> faults = new ConcurrentLinkedQueue<>();
    private final CountDownLatch met = new CountDownLatch(1);
    private @Nullable FailurePoint point;
    private int times;
    private Fate fate = Fate.DEATH;
    private volatile boolean dead;
    private volatile boolean standing;

    /**
     * Arms a failure point.
     *
     * @param time the number of the arrival at the point that triggers it, from 1
     */
    synchronized void arm(FailurePoint at, int time, Fate what) {
        point = at;
        times = time;
        fate = what;
    }

    synchronized void disarm() {
        point = null;
    }

    boolean isDead() {
        return dead;
    }

    /** Returns whether this application has reached its failure point. */
    boolean hasMetItsPoint() {
        return met.getCount() == 0;
    }

    /**
     * Called before and after each step, by the thread that makes the step. Throws if the application is dead or dies.
     */
    void reach(FailurePoint at) throws SQLException {
        Fate what;
        synchronized (this) {
            alive();
            if (!at.equals(point) || --times > 0) {
                return;
            }
            point = null;
            what = fate;
            met.countDown();
            standing = true;
        }
        try {
            what.befall(this);
        } finally {
            standing = false;
        }
        alive();
    }

    /** Returns whether one of its threads is frozen at its failure point. */
    boolean isStanding() {
        return standing;
    }

    void alive() throws SQLException {
        if (dead) {
            throw new SQLException("the application is dead");
        }
    }

    /** Dies at once, as with kill -9. */
    synchronized void die() {
        dead = true;
        for (Connection connection : connections) {
            try {
                connection.abort(Runnable::run);
            } catch (SQLException ex) {
                // The connection is already closed.
            }
        }
        connections.clear();
    }

    void opened(Connection connection) throws SQLException {
        synchronized (this) {
            alive();
            connections.add(connection);
        }
    }

    void closed(Connection connection) {
        connections.remove(connection);
    }

    /** Called when the thread has begun (1) or ended (-1) a transaction that may lock rows of the outbox. */
    void inTransaction(int change) {
        openTransactions.set(Math.max(0, openTransactions.get() + change));
    }

    /** Called before each call to Redis. */
    void noteSend(String call) {
        if (openTransactions.get() > 0) {
            faults.add(call + " was sent while the thread held a transaction of the outbox");
        }
    }

    /** Returns the forbidden actions of the application since the last call, without duplicates. */
    Set<String> takeFaults() {
        Set<String> taken = new TreeSet<>(faults);
        faults.clear();
        return taken;
    }
}
