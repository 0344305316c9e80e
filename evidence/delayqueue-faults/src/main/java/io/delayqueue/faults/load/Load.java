// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.load;

import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.springframework.context.SmartLifecycle;

/** Starts the callers after everything else, and ends them before everything else. */
final class Load implements SmartLifecycle {

    private static final Duration END = Duration.ofSeconds(5);

    private final LoadSettings settings;
    private final TaskCalls calls;
    private final Calls direct;
    private final RedisClock clock;
    private final List<Thread> threads = new ArrayList<>();

    /** @param direct calls outside transactions */
    Load(LoadSettings settings, TaskCalls calls, Calls direct, RedisClock clock) {
        this.settings = settings;
        this.calls = calls;
        this.direct = direct;
        this.clock = clock;
    }

    @Override
    public synchronized void start() {
        for (int i = 0; i < settings.threads(); i++) {
            Caller caller = new Caller(
                    calls,
                    clock::latestMicros,
                    settings.process() + "-" + i,
                    settings,
                    () -> Files.exists(settings.end()));
            start(caller, "faults-caller-" + i);
        }
        if (settings.blocking() > 0) {
            start(
                    new BlockingDependents(
                            direct,
                            settings.process() + "-absent",
                            Duration.ofSeconds(1).dividedBy(settings.blocking()),
                            () -> Files.exists(settings.end())),
                    "faults-blocker");
        }
    }

    private void start(Runnable calling, String name) {
        Thread thread = new Thread(calling, name);
        threads.add(thread);
        thread.start();
    }

    @Override
    public synchronized void stop() {
        threads.forEach(Thread::interrupt);
        for (Thread thread : threads) {
            try {
                thread.join(END.toMillis());
            } catch (InterruptedException ex) {
                Thread.currentThread().interrupt();
                break;
            }
        }
        threads.clear();
    }

    @Override
    public synchronized boolean isRunning() {
        return !threads.isEmpty();
    }

    /** The last to start and the first to stop. */
    @Override
    public int getPhase() {
        return Integer.MAX_VALUE;
    }
}
