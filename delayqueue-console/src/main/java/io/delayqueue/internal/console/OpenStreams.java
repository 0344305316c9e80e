// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.console;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.springframework.context.SmartLifecycle;

/**
 * The streams of events that browsers listen to, of which there are a hundred at most. They are ended when the application
 * begins to stop, before its web server waits for requests under way: else each page that somebody has left open would hold
 * that up for as long as the server waits.
 */
public final class OpenStreams implements SmartLifecycle {

    static final int MOST = 100;

    private final Set<Runnable> ends = new HashSet<>();
    private boolean running;

    /** Whether there are as many as there may be. Those that begin at the same moment may be a few more. */
    public boolean isFull() {
        return count() >= MOST;
    }

    /** How many there are. */
    public int count() {
        synchronized (ends) {
            return ends.size();
        }
    }

    /**
     * Adds a stream that has begun.
     *
     * @param end ends it; called on another thread, at once where the application stops already
     * @return to be called when it has ended by itself
     */
    public Runnable add(Runnable end) {
        synchronized (ends) {
            if (running) {
                ends.add(end);
                return () -> remove(end);
            }
        }
        end.run();
        return () -> {};
    }

    private void remove(Runnable end) {
        synchronized (ends) {
            ends.remove(end);
        }
    }

    @Override
    public void start() {
        synchronized (ends) {
            running = true;
        }
    }

    @Override
    public void stop() {
        List<Runnable> open;
        synchronized (ends) {
            running = false;
            open = new ArrayList<>(ends);
            ends.clear();
        }
        open.forEach(Runnable::run);
    }

    @Override
    public boolean isRunning() {
        synchronized (ends) {
            return running;
        }
    }
}
