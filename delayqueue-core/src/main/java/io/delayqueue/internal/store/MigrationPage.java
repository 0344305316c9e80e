// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.store;

import java.util.List;

/**
 * A page of a shard's tasks.
 *
 * @param cursor the cursor for the next call
 * @param bytes number of bytes read
 * @param tasks some of the shard's tasks
 */
public record MigrationPage(String cursor, long bytes, List<Entry> tasks) {

    /** The cursor for the first call. */
    public static final String START = "0";

    /** Returns whether there is a next page. */
    public boolean more() {
        return !cursor.equals(START);
    }

    /**
     * A task.
     *
     * @param newer whether a newer version wrote it
     */
    public record Entry(String id, boolean newer) {}
}
