// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.cell;

import io.delayqueue.faults.ApplicationProcess;
import io.delayqueue.faults.history.Event.Change;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.ToLongFunction;

/**
 * The application processes of a run. Each has a numbered place, and another process can take its place. Records the
 * faults of the processes. Not thread-safe.
 */
public final class Applications implements AutoCloseable {

    private static final int SEVERAL = 4;
    private static final Duration WORK_LIMIT = Duration.ofSeconds(60);

    private final Launcher launcher;
    private final FaultLog log;
    private final ToLongFunction<String> atWork;
    private final List<Running> places = new ArrayList<>();
    private final List<Running> former = new ArrayList<>();
    private int launched;

    /** @param atWork returns how many tasks the application with this name is handling */
    Applications(Launcher launcher, FaultLog log, ToLongFunction<String> atWork) {
        this.launcher = launcher;
        this.log = log;
        this.atWork = atWork;
    }

    /** Starts further applications and waits until they work. */
    void start(int count) throws InterruptedException {
        int first = places.size();
        for (int place = first; place < first + count; place++) {
            places.add(launch(place));
        }
        for (Running running : places.subList(first, places.size())) {
            running.process().awaitLogged(Launcher.STARTED);
        }
    }

    private Running launch(int place) {
        String name = "application-" + place + "-" + launched;
        Running running = new Running(name, launcher.launch(place, name));
        launched++;
        log.changed(name, Change.STARTED);
        return running;
    }

    /** Returns the number of places. */
    public int count() {
        return places.size();
    }

    /** Returns the id of the process in this place. */
    public long pid(int place) {
        return places.get(place).process().pid();
    }

    /** Waits until the process in this place is handling several tasks, which a kill would interrupt. */
    public void awaitAtWork(int place) throws InterruptedException {
        String name = places.get(place).name();
        long end = System.nanoTime() + WORK_LIMIT.toNanos();
        while (atWork.applyAsLong(name) < SEVERAL) {
            if (System.nanoTime() - end > 0) {
                throw new IllegalStateException(name + " handles too little to be met at work");
            }
            TimeUnit.MILLISECONDS.sleep(20);
        }
    }

    /** Sends SIGKILL. */
    public void kill(int place) {
        log.changed(places.get(place).name(), Change.KILLED);
        places.get(place).process().kill();
    }

    /** Sends SIGTERM and waits for the end. */
    public void terminate(int place) {
        log.changed(places.get(place).name(), Change.TERMINATING);
        places.get(place).process().stop();
    }

    /** Sends SIGSTOP. */
    public void suspend(int place) {
        log.changed(places.get(place).name(), Change.STOPPED);
        places.get(place).process().signal("STOP");
    }

    /** Sends SIGCONT. */
    public void resume(int place) {
        places.get(place).process().signal("CONT");
        log.changed(places.get(place).name(), Change.CONTINUED);
    }

    /** Starts a process in the place of one that has ended, without waiting for it. */
    public void replace(int place) {
        former.add(places.get(place));
        places.set(place, launch(place));
    }

    /** Waits until the process in this place works. */
    public void awaitStarted(int place) throws InterruptedException {
        places.get(place).process().awaitLogged(Launcher.STARTED);
    }

    /** Stops all applications with SIGTERM. */
    void terminateAll() {
        for (int place = 0; place < places.size(); place++) {
            if (places.get(place).process().isAlive()) {
                terminate(place);
            }
        }
    }

    @Override
    public void close() {
        places.forEach(running -> running.process().kill());
        former.forEach(running -> running.process().kill());
    }

    private record Running(String name, ApplicationProcess process) {}

    /** Starts applications. */
    @FunctionalInterface
    interface Launcher {

        /** The text that an application logs when it has started. */
        String STARTED = "Started LoadApplication";

        /**
         * Starts an application, without waiting for it.
         *
         * @param place its place
         * @param name name of its history
         */
        ApplicationProcess launch(int place, String name);
    }
}
