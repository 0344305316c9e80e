// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.handler;

/** A registered handler. Methods block until their effect is complete. Thread-safe. */
public interface HandlerRegistration {

    /** Returns the id of the handler, by default the name of its queue. */
    String id();

    /** Returns the queue of the handler. */
    String queue();

    /** Returns whether the handler is acquiring tasks. */
    boolean isRunning();

    /**
     * Starts or restarts acquiring tasks.
     *
     * @throws io.delayqueue.DelayQueueException if this registration was closed
     */
    void start();

    /**
     * Stops acquiring tasks and waits for running handlers up to the shutdown time-out. Does not wait for a handler
     * that calls this method itself; a later stop by another thread and the close of the application do. The
     * registration can be restarted.
     */
    void stop();

    /** Stops permanently. Another handler may then be registered for the queue. */
    void close();
}
