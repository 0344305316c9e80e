// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.autoconfigure.endpoint;

import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The names of the parameters that were given with a change. One that the change would not heed is refused: who gave it meant
 * another change, such as a dry run, or one task and not the whole queue.
 */
final class ChangeParameters {

    private static final String ID = "id";
    private static final String TO = "to";
    private static final String SHARDS = "shards";

    private final Set<String> given = new LinkedHashSet<>();

    ChangeParameters with(String name, @Nullable String value) {
        if (value != null) {
            given.add(name);
        }
        return this;
    }

    /** For what is done to a queue, to the task with an id, or to all tasks that a filter names. */
    void requireFitFor(String action) {
        switch (action) {
            case "pause", "resume" -> requireOnly(Set.of(), action + " of a queue");
            case "resize" -> requireOnly(Set.of(SHARDS), action + " of a queue");
            case "reschedule" -> requireFit(Set.of(ID, TO), action);
            default -> requireFit(Set.of(ID), action);
        }
    }

    /** @param ofOne what is heeded where the task is named by its id */
    private void requireFit(Set<String> ofOne, String action) {
        if (given.contains(ID)) {
            requireOnly(ofOne, action + " of the task with an id");
        } else if (given.contains(SHARDS)) {
            throw refused(SHARDS, action + " of tasks");
        }
    }

    private void requireOnly(Set<String> heeded, String what) {
        for (String name : given) {
            if (!heeded.contains(name)) {
                throw refused(name, what);
            }
        }
    }

    private static IllegalArgumentException refused(String name, String what) {
        return new IllegalArgumentException("The parameter '" + name + "' says nothing about the " + what
                + ", so nothing was done. Leave it out if that is what you want");
    }
}
