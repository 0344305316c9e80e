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

    /** Where a task stands among the others; of one moment those with the lower ids come first, as in Redis. */
    record Place(long moment, String id) implements Comparable<Place> {

        /** Before all tasks of this moment. */
        static Place before(long moment) {
            return new Place(moment, "");
        }

        /** Behind all tasks of this moment. */
        static Place behind(long moment) {
            return before(moment + 1);
        }

        @Override
        public int compareTo(Place other) {
            int order = Long.compare(moment, other.moment);
            return order != 0 ? order : id.compareTo(other.id);
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

    /** Takes in a task that stands nowhere; one of its id gives way. */
    void put(MemoryTask task, boolean isDead, long moment) {
        MemoryTask other = byId.put(task.id, task);
        if (other != null) {
            leave(other);
        }
        enter(task, isDead, moment);
    }

    /** Lets a task of the shard stand somewhere else. */
    void move(MemoryTask task, boolean isDead, long moment) {
        leave(task);
        enter(task, isDead, moment);
    }

    void remove(MemoryTask task) {
        leave(task);
        byId.remove(task.id);
    }

    private void enter(MemoryTask task, boolean isDead, long moment) {
        task.dead = isDead;
        task.moment = moment;
        (isDead ? dead : live).add(new Place(moment, task.id));
    }

    private void leave(MemoryTask task) {
        (task.dead ? dead : live).remove(new Place(task.moment, task.id));
    }
}
