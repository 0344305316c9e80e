// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.handler;

/** A handler that was registered; all its methods may be called by any thread and block until done. */
public interface HandlerRegistration {

    /** The queue whose tasks it takes. */
    String queue();

    /** Whether it takes tasks. */
    boolean isRunning();

    /**
     * Takes tasks (again).
     *
     * @throws io.delayqueue.DelayQueueException if it was closed
     */
    void start();

    /**
     * Stops taking tasks and waits for running handlers as the close time-out says, but not for one that calls this: it
     * goes on and ends as ever. It may be started again.
     */
    void stop();

    /** Stops for good; another handler may then be registered for the queue. */
    void close();
}
