// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.memory;

import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The tasks of a shard: all by their ids, and the live and the dead ones in the order of their moments. */
final class TaskTable {

    private final NavigableMap<String, MemoryTask> byId = new TreeMap<>();
    private final NavigableSet<Place> live = new TreeSet<>();
    private final NavigableSet<Place> dead = new TreeSet<>();

    /**
     * Where a task stands among the others, as in Redis.
     *
     * @param moment its millisecond
     * @param order among those of that millisecond, from 0; of those that have the same the lower ids come first
     * @param id the task
     */
    record Place(long moment, long order, String id) implements Comparable<Place> {

        /** Before all tasks of this moment. */
        static Place before(long moment) {
            return new Place(moment, 0, "");
        }

        /** Behind all tasks of this moment. */
        static Place behind(long moment) {
            return before(moment + 1);
        }

        @Override
        public int compareTo(Place other) {
            int byMoment = Long.compare(moment, other.moment);
            int byOrder = byMoment != 0 ? byMoment : Long.compare(order, other.order);
            return byOrder != 0 ? byOrder : id.compareTo(other.id);
        }
    }

    @Nullable
    MemoryTask get(String id) {
        return byId.get(id);
    }

    /** Of an id that {@link #live} or {@link #dead} named. */
    MemoryTask at(Place place) {
        MemoryTask task = byId.get(place.id());
        if (task == null) {
            throw new AssertionError("There is no task at " + place);
        }
        return task;
    }

    /** Those that are live; not to be changed. */
    NavigableSet<Place> live() {
        return live;
    }

    /** Those that are dead, the longest dead first; not to be changed. */
    NavigableSet<Place> dead() {
        return dead;
    }

    /** All, in the order of their ids; not to be changed. */
    NavigableMap<String, MemoryTask> byId() {
        return byId;
    }

    /** When the shard needs attention next; null if it has no live task. */
    @Nullable
    Long earliest() {
        return live.isEmpty() ? null : live.first().moment();
    }

    /** The order of a task that is scheduled now: behind all that were scheduled for the same millisecond before. */
    long nextOrder(String id, long moment) {
        Place last = live.lower(Place.behind(moment));
        if (last == null || last.moment() < moment) {
            return 0;
        }
        return last.id().equals(id) ? last.order() : orderBehind(last.order(), moment);
    }

    /** A score of Redis is a double, which has room for so many within a millisecond; the others share the last order. */
    long orderBehind(long order, long moment) {
        return Math.min(order + 1, (long) (1 / Math.ulp((double) moment)) - 1);
    }

    /** Takes in a task that stands nowhere, in its order; one of its id gives way. */
    void put(MemoryTask task, boolean isDead, long moment) {
        MemoryTask other = byId.put(task.id, task);
        if (other != null) {
            leave(other);
        }
        enter(task, isDead, moment, isDead ? 0 : task.order);
    }

    /** Lets a task of the shard stand first in another moment. */
    void move(MemoryTask task, boolean isDead, long moment) {
        leave(task);
        enter(task, isDead, moment, 0);
    }

    /** Lets a live task of the shard stand in its order in another moment. */
    void moveInOrder(MemoryTask task, long moment) {
        leave(task);
        enter(task, false, moment, task.order);
    }

    /** Lets a task wait for its due time, in its order, or for a later moment. */
    void await(MemoryTask task, long atLeast) {
        leave(task);
        boolean later = atLeast > task.due;
        enter(task, false, later ? atLeast : task.due, later ? 0 : task.order);
    }

    void remove(MemoryTask task) {
        leave(task);
        byId.remove(task.id);
    }

    private void enter(MemoryTask task, boolean isDead, long moment, long order) {
        task.place = new Place(moment, order, task.id);
        task.dead = isDead;
        task.moment = moment;
        (isDead ? dead : live).add(task.place);
    }

    private void leave(MemoryTask task) {
        (task.dead ? dead : live).remove(task.place);
    }
}
