// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.campaign;

import io.delayqueue.faults.cell.Outcome;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Makes runs, several at a time, until no further run may start. If a run may have failed only because of concurrent
 * runs, it is repeated alone, and only the repetition counts.
 */
final class Portion {

    private final Runner runner;
    private final Done done;
    private final int places;
    private final BooleanSupplier mayBegin;
    private final Semaphore free;
    private final Set<Presence> present = new HashSet<>();

    /**
     * Creates a portion without starting runs.
     *
     * @param places number of concurrent runs
     * @param mayBegin returns whether there is time for another run
     */
    Portion(Runner runner, Done done, int places, BooleanSupplier mayBegin) {
        this.runner = runner;
        this.done = done;
        this.places = places;
        this.mayBegin = mayBegin;
        this.free = new Semaphore(places, true);
    }

    /** Makes runs and waits for them. If no further run may start, waits only for those that have started. */
    void run(List<Planned> runs) throws InterruptedException {
        Queue<Planned> left = new ConcurrentLinkedQueue<>(runs);
        List<Thread> threads = new ArrayList<>();
        for (int place = 0; place < places; place++) {
            Thread thread = new Thread(() -> work(left), "faults-place-" + place);
            threads.add(thread);
            thread.start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
    }

    private void work(Queue<Planned> left) {
        try {
            for (Planned next = next(left); next != null; next = next(left)) {
                perform(next);
            }
        } catch (InterruptedException ex) {
            Thread.currentThread().interrupt();
        }
    }

    private @Nullable Planned next(Queue<Planned> left) {
        return mayBegin.getAsBoolean() ? left.poll() : null;
    }

    private void perform(Planned run) throws InterruptedException {
        Presence presence = new Presence();
        Outcome outcome = run(run, run.alone() ? places : 1, presence);
        if (outcome.mayBeTheMachine() && presence.hasCompany) {
            String note = "beside another run " + inWords(outcome) + ", and was repeated alone";
            done.accept(run, run(run, places, new Presence()), List.of(note));
        } else {
            done.accept(run, outcome, List.of());
        }
    }

    private static String inWords(Outcome outcome) {
        return outcome.broken().isEmpty() ? "it could not be made" : "it broke " + outcome.broken();
    }

    private Outcome run(Planned run, int wanted, Presence presence) throws InterruptedException {
        free.acquire(wanted);
        try {
            enter(presence);
            return runner.run(run);
        } finally {
            leave(presence);
            free.release(wanted);
        }
    }

    private synchronized void enter(Presence presence) {
        present.forEach(other -> other.hasCompany = true);
        presence.hasCompany = !present.isEmpty();
        present.add(presence);
    }

    private synchronized void leave(Presence presence) {
        present.remove(presence);
    }

    /** Marks a run as in progress. */
    private static final class Presence {

        private volatile boolean hasCompany;
    }

    /** Makes one run. */
    @FunctionalInterface
    interface Runner {

        Outcome run(Planned run) throws InterruptedException;
    }

    /** Receives the outcome of a completed run. Called by several threads. */
    @FunctionalInterface
    interface Done {

        void accept(Planned run, Outcome outcome, List<String> notes);
    }
}
