// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.cell;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One fault, with its servers and settings. Immutable; methods that change something return a new cell.
 *
 * <pre>{@code
 * Cell.of("redis-kill", "Redis is killed and restarted", scene -> ...)
 *         .on(ProxiedServers::new)
 *         .with("spring.data.redis.timeout=1s")
 *         .mayLose("what the master had not sent to its replica");
 * }</pre>
 *
 * @param name its name, such as {@code redis-kill}
 * @param description one sentence, without its full stop
 * @param fault what happens
 * @param servers starts the servers of a run
 * @param settings further properties of the applications
 * @param atLeast how long the fault takes at least
 * @param loss description of what may be lost; null for nothing
 * @param brokerStays whether the applications never lose the broker
 * @param callsWithin maximum duration of calls; null for unlimited
 */
public record Cell(
        String name,
        String description,
        Fault fault,
        Supplier<? extends Servers> servers,
        List<String> settings,
        Duration atLeast,
        @Nullable String loss,
        boolean brokerStays,
        @Nullable Duration callsWithin) {

    private static final String SHARDS = "delayqueue.defaults.shards=";

    public Cell {
        settings = List.copyOf(settings);
    }

    /**
     * Returns a cell with one RabbitMQ, and one Redis that syncs its append-only file at every write. Nothing may be
     * lost in this cell.
     */
    public static Cell of(String name, String description, Fault fault) {
        return new Cell(name, description, fault, StandaloneServers::new, List.of(), Duration.ZERO, null, false, null);
    }

    /** Returns this cell with other servers, which the supplier starts for each run. */
    public Cell on(Supplier<? extends Servers> otherServers) {
        return new Cell(name, description, fault, otherServers, settings, atLeast, loss, brokerStays, callsWithin);
    }

    /** Returns this cell with further properties of the applications, such as {@code spring.data.redis.timeout=1s}. */
    public Cell with(String... properties) {
        List<String> all = new ArrayList<>(settings);
        all.addAll(List.of(properties));
        return new Cell(name, description, fault, servers, all, atLeast, loss, brokerStays, callsWithin);
    }

    /** Returns this cell with a fault that takes this long, even in a short run. */
    public Cell lasting(Duration time) {
        return new Cell(name, description, fault, servers, settings, time, loss, brokerStays, callsWithin);
    }

    /**
     * Returns this cell with a permitted loss. The run reports tasks that were lost within a window that the fault
     * {@linkplain Scene#losing states}, but does not fail because of them.
     *
     * @param window what may be lost, in words, for the report
     */
    public Cell mayLose(String window) {
        return new Cell(name, description, fault, servers, settings, atLeast, window, brokerStays, callsWithin);
    }

    /** Returns this cell with this number of shards in each queue. */
    public Cell withShards(int shards) {
        return with(SHARDS + shards);
    }

    /** Returns this cell with 80 keys that have a rate, a burst of two and one task at a time; slow handlers take 150 ms. */
    public Cell withKeyLimits() {
        return with(
                "faults.keys=80",
                "faults.slow-time=150ms",
                "delayqueue.queues.handled.limits.per-key.rate=8/s burst 2",
                "delayqueue.queues.handled.limits.per-key.concurrency=1");
    }

    /** Returns this cell with a broker that stays available, so that an attempt without an answer must count. */
    public Cell whereTheBrokerStays() {
        return new Cell(name, description, fault, servers, settings, atLeast, loss, true, callsWithin);
    }

    /** Returns this cell with a time within which every call of the applications must succeed or fail. */
    public Cell answeringWithin(Duration time) {
        return new Cell(name, description, fault, servers, settings, atLeast, loss, brokerStays, time);
    }

    /** Starts the servers of a run and returns them. The caller closes them. */
    public Servers startServers() {
        return servers.get();
    }

    /** Returns the {@link #settings} that define the number of shards. */
    List<String> sharding() {
        return settings.stream().filter(property -> property.startsWith(SHARDS)).toList();
    }
}
