// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.benchmarks.run;

import io.delayqueue.benchmarks.result.Outcome;
import io.delayqueue.benchmarks.server.Place;
import io.delayqueue.benchmarks.workload.Setting;
import io.delayqueue.test.server.RabbitServer;
import java.util.ArrayDeque;
import java.util.Deque;

/** One subject's turn: fresh servers, and a JVM. Closing it ends all of them. */
final class Turn implements AutoCloseable {

    private final TurnOrder order;
    private final ChildProcess child;
    private final Deque<AutoCloseable> started = new ArrayDeque<>();

    Turn(TurnOrder order) {
        this.order = order;
        try {
            RedisPlace redis = opened(new RedisPlace(order.variant()));
            RabbitServer rabbit =
                    order.broker() ? opened(RabbitServer.installed().start()) : null;
            Place place = redis.with(rabbit);
            DatabasePlace database = DatabasePlace.of(order.variant(), order.subject());
            if (database != null) {
                place = place.with(opened(database).orders());
            }
            Setting setting = new Setting(order.workload(), order.subject(), order.quick(), place);
            this.child = opened(new ChildProcess(setting, order));
        } catch (RuntimeException ex) {
            close();
            throw ex;
        }
    }

    private <T extends AutoCloseable> T opened(T resource) {
        started.push(resource);
        return resource;
    }

    boolean isRunning() {
        return child.isRunning();
    }

    /** Returns whether the run has ended without an outcome. */
    boolean hasFailed() {
        return child.hasFailed();
    }

    /** Returns the measurements. If the run is still in progress, it is ended and counts as failed. */
    Outcome outcome() throws InterruptedException {
        return child.outcome();
    }

    /** Ends the JVM and the servers, even if ending one of them fails. */
    @Override
    public void close() {
        while (!started.isEmpty()) {
            try {
                started.pop().close();
            } catch (Exception ex) {
                System.err.println("benchmark: after " + order.workload() + " " + order.subject()
                        + " a process or a server could not be stopped: " + ex);
            }
        }
    }
}
