// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.store;

import java.util.List;

/**
 * A page of the limits that were set at run time for the keys of a shard.
 *
 * @param cursor the cursor for the next page; {@link MigrationPage#START} after the last
 */
public record KeyLimitsPage(String cursor, List<Field> fields) {

    /**
     * The limits of a key, or the end of its closure.
     *
     * @param idPrefix prefix of the ids of the key's tasks
     * @param value the stored value
     */
    public record Field(String idPrefix, boolean isClosure, String value) {

        /**
         * Returns the change that adds this field to another shard, unless that shard has limits or a longer closure.
         */
        public KeyLimitsChange added() {
            return KeyLimitsChange.addingTo(this);
        }

        /** Returns the change that removes this field, unless its value has changed, and a closure that has ended. */
        public KeyLimitsChange removed() {
            return replacedBy("");
        }

        /** Returns the change that replaces this value in one step, or removes it, unless it has changed. */
        public KeyLimitsChange replacedBy(String newValue) {
            return KeyLimitsChange.replacing(this, newValue);
        }

        /** Returns the value of this field that a shard has now; empty if the shard does not have it. */
        public String valueIn(StoredKeyLimits stored) {
            return isClosure ? stored.closedText() : stored.limitsText();
        }
    }
}
