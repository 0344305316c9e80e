// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.store;

import java.util.List;

/**
 * A page of the run-time limits of a shard's keys.
 *
 * @param cursor the cursor for the next page; {@link MigrationPage#START} after the last
 */
public record KeyLimitsPage(String cursor, List<Field> fields) {

    /**
     * The limits of a key, or the time until which it is closed.
     *
     * @param idPrefix prefix of the ids of the key's tasks
     * @param value the stored value
     */
    public record Field(String idPrefix, boolean isClosure, String value) {

        /** Returns the current value of this field in a shard; empty if it has none. */
        public String valueIn(StoredKeyLimits stored) {
            return isClosure ? stored.closedText() : stored.limitsText();
        }
    }
}
