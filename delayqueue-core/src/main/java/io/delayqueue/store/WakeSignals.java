// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.store;

/**
 * Tells pollers that a shard has work earlier than they know. Only a hint: when signals are lost, tasks are late by the
 * back-stop at most.
 */
public interface WakeSignals {

    /** Does nothing: pollers then rely on their own reckoning and on the back-stop. */
    WakeSignals NONE = (queue, listener) -> () -> {};

    /**
     * Listens to a queue until the registration is closed. Returns at once; the listener is called on a thread of the
     * driver and must not block.
     */
    Registration listen(String queue, Listener listener);

    /** Ends listening. */
    interface Registration extends AutoCloseable {

        @Override
        void close();
    }

    /** Called when a queue may have work. */
    interface Listener {

        /** A task became the earliest of this shard. */
        void wake(int shard);

        /** Signals may have been lost, as after a reconnect: look at every shard. */
        void wakeAll();
    }
}
