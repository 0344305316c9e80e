// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.cell;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** What a fault has before it: servers and applications at work. For use by one thread. */
public final class Scene {

    private final Servers servers;
    private final Applications applications;
    private final Duration length;
    private final Consumer<String> notes;

    Scene(Servers servers, Applications applications, Duration length, Consumer<String> notes) {
        this.servers = servers;
        this.applications = applications;
        this.length = length;
        this.notes = notes;
    }

    /** The servers, of the kind that the cell was given {@link Cell#on on}. */
    public <S extends Servers> S servers(Class<S> kind) {
        return kind.cast(servers);
    }

    /** One Redis and one RabbitMQ, where the cell named no others. */
    public StandaloneServers servers() {
        return servers(StandaloneServers.class);
    }

    /** The applications, which can be killed. */
    public Applications applications() {
        return applications;
    }

    /** How long the fault should go on. */
    public Duration length() {
        return length;
    }

    /** Writes to the history and the log what was done, as {@code redis killed}. */
    public void note(String what) {
        notes.accept(what);
    }

    /** Lets time pass. */
    public void pause(Duration time) throws InterruptedException {
        TimeUnit.NANOSECONDS.sleep(time.toNanos());
    }

    /** Does something again and again, with a pause after each time, until {@link #length()} is over. At least once. */
    public void repeat(Duration pause, Action action) throws Exception {
        long end = System.nanoTime() + length.toNanos();
        do {
            action.perform();
            pause(pause);
        } while (System.nanoTime() - end < 0);
    }

    /** Something that may fail. */
    @FunctionalInterface
    public interface Action {

        void perform() throws Exception;
    }
}
