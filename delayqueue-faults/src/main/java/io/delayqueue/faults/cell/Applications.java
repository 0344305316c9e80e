// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.cell;

import io.delayqueue.faults.ApplicationProcess;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** The application processes of a run, each in a place in which another can follow it. For use by one thread. */
public final class Applications implements AutoCloseable {

    private final Launcher launcher;
    private final Consumer<String> notes;
    private final List<ApplicationProcess> processes = new ArrayList<>();
    private final List<ApplicationProcess> former = new ArrayList<>();
    private int launched;

    Applications(Launcher launcher, Consumer<String> notes) {
        this.launcher = launcher;
        this.notes = notes;
    }

    /** Starts so many more, and returns when they work. */
    void start(int count) throws InterruptedException {
        int first = processes.size();
        for (int place = first; place < first + count; place++) {
            processes.add(launcher.launch(place, launched++));
        }
        for (ApplicationProcess process : processes.subList(first, processes.size())) {
            process.awaitLogged(Launcher.STARTED);
        }
    }

    /** How many places there are. */
    public int count() {
        return processes.size();
    }

    /** The process id of the one in this place. */
    public long pid(int place) {
        return processes.get(place).pid();
    }

    /** SIGKILL. */
    public void kill(int place) {
        notes.accept("application " + place + " killed");
        processes.get(place).kill();
    }

    /** SIGTERM, and returns when it has ended. */
    public void terminate(int place) {
        notes.accept("application " + place + " stopped");
        processes.get(place).stop();
        notes.accept("application " + place + " ended");
    }

    /** SIGSTOP. */
    public void suspend(int place) {
        notes.accept("application " + place + " frozen");
        processes.get(place).signal("STOP");
    }

    /** SIGCONT. */
    public void resume(int place) {
        processes.get(place).signal("CONT");
        notes.accept("application " + place + " goes on");
    }

    /** Starts another one in the place of one that has ended, and returns at once. */
    public void replace(int place) {
        former.add(processes.get(place));
        processes.set(place, launcher.launch(place, launched++));
    }

    /** Returns when the one in this place works. */
    public void awaitStarted(int place) throws InterruptedException {
        processes.get(place).awaitLogged(Launcher.STARTED);
        notes.accept("application " + place + " works");
    }

    @Override
    public void close() {
        processes.forEach(ApplicationProcess::close);
        former.forEach(ApplicationProcess::close);
    }

    /** How an application is started. */
    @FunctionalInterface
    interface Launcher {

        /** What an application writes when it works. */
        String STARTED = "Started LoadApplication";

        /**
         * Starts one and returns at once.
         *
         * @param place in which it is
         * @param number how many were launched before
         */
        ApplicationProcess launch(int place, int number);
    }
}
