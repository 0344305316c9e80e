// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.store;

import java.util.List;

/**
 * Tasks that a shard holds.
 *
 * @param cursor for the next call
 * @param more whether there is a next one
 * @param bytes that were looked at
 * @param tasks some of the shard's tasks
 */
public record MigrationPage(String cursor, boolean more, long bytes, List<Entry> tasks) {

    /** For the first call. */
    public static final String START = "0";

    /**
     * One task.
     *
     * @param id its id
     * @param newer whether a newer version wrote it
     */
    public record Entry(String id, boolean newer) {}
}
