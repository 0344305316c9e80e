// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.check;

import io.delayqueue.faults.history.Portion;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The data that remains in Redis after the drain, and in other places.
 *
 * @param live tasks that are waiting or leased
 * @param dead tasks that are kept as dead
 * @param others keys, and members of keys, that belong to no task and are not documented to stay; and descriptions of
 *     anything else
 */
public record FinalState(List<Live> live, List<Dead> dead, List<String> others) {

    /** An empty state. */
    public static final FinalState EMPTY = new FinalState(List.of(), List.of(), List.of());

    /** Returns this state with additional {@link #others}. */
    public FinalState and(List<String> more) {
        return new FinalState(
                live, dead, Stream.concat(others.stream(), more.stream()).toList());
    }

    /**
     * Returns the part of this state that belongs to a portion of the run. Data without a task is in the first portion.
     */
    public FinalState in(Portion portion) {
        return new FinalState(
                live.stream().filter(task -> portion.has(task.id())).toList(),
                dead.stream().filter(task -> portion.has(task.id())).toList(),
                portion.index() == 0 ? others : List.of());
    }

    /**
     * A task that is waiting or leased.
     *
     * @param version version in its payload; null if it has none
     */
    public record Live(
            String queue, int shard, String id, @Nullable String version) {}

    /**
     * A dead task.
     *
     * @param version version in its payload; null if it has none
     * @param failures number of failed attempts
     * @param expiries number of expired leases
     * @param reason the last reason
     */
    public record Dead(
            String queue, int shard, String id, @Nullable String version, int failures, int expiries, String reason) {}
}
