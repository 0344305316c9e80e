// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.handler;

/** A registered handler. Thread-safe. Its methods block until they are done. */
public interface HandlerRegistration {

    /** Returns the id with which the handler was registered, or else the name of its queue. */
    String id();

    /** Returns the queue of the handler. */
    String queue();

    /** Returns whether the handler is acquiring tasks. */
    boolean isRunning();

    /**
     * Starts or restarts acquiring tasks.
     *
     * @throws io.delayqueue.DelayQueueException if this was closed
     */
    void start();

    /**
     * Stops acquiring tasks and waits for running handlers up to the close time-out. A handler that calls this is not
     * awaited; it continues and ends as usual. The registration can be restarted.
     */
    void stop();

    /** Stops permanently. Another handler may then be registered for the queue. */
    void close();
}
