// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.benchmarks.subject;

import java.util.ArrayList;
import java.util.List;

/** Threads that repeat a step. */
final class Threads implements AutoCloseable {

    private final List<Thread> threads = new ArrayList<>();
    private volatile boolean closed;

    /**
     * Starts a thread that repeats the step until this is closed. A failed step ends the JVM, because the run is then
     * invalid.
     */
    void repeat(Step step) {
        Thread thread = new Thread(
                () -> {
                    while (!closed) {
                        try {
                            step.run();
                        } catch (InterruptedException ex) {
                            return;
                        } catch (Exception ex) {
                            if (!closed) {
                                ex.printStackTrace();
                                Runtime.getRuntime().halt(3);
                            }
                        }
                    }
                },
                "subject-" + threads.size());
        thread.setDaemon(true);
        threads.add(thread);
        thread.start();
    }

    @Override
    public void close() {
        closed = true;
        threads.forEach(Thread::interrupt);
    }

    /** The step to repeat. */
    @FunctionalInterface
    interface Step {

        void run() throws Exception;
    }
}
