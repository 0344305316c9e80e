// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.store;

import io.delayqueue.Due;
import io.delayqueue.admin.KeyLimits;
import java.time.Duration;
import java.time.Instant;

/**
 * A change of a key's run-time limits, in the form that {@code key_limits.lua} describes.
 *
 * @param limits the change of the limits
 * @param closed the change of the time until which the key is closed
 */
public record KeyLimitsChange(String limits, String closed) {

    private static final String KEEP = "=";
    private static final String SET = "!";
    private static final String SET_IF_ABSENT = "?";
    private static final String REPLACE = "-";
    private static final String BY = "\0";
    private static final String EXTEND = "+";
    private static final String EXTEND_UNTIL = ">";

    /** Reads the limits without changing them. */
    public static final KeyLimitsChange READ = new KeyLimitsChange(KEEP, KEEP);

    public static final KeyLimitsChange OPEN = new KeyLimitsChange(KEEP, SET);

    /** Sets the limits of a key, or removes them. */
    public static KeyLimitsChange set(KeyLimits limits) {
        return new KeyLimitsChange(SET + StoredKeyLimits.text(limits), KEEP);
    }

    /** Closes a key until the given time, but no longer than the last possible due time. */
    public static KeyLimitsChange close(Instant until) {
        Instant last = Instant.ofEpochMilli(Due.MAX_EPOCH_MILLIS);
        Instant end = until.isAfter(last) ? last : until.isBefore(Instant.EPOCH) ? Instant.EPOCH : until;
        return new KeyLimitsChange(KEEP, SET + end.toEpochMilli());
    }

    /** Closes a key for the given time, unless it is already closed for longer. */
    public static KeyLimitsChange closeFor(Duration time) {
        long most = Due.MAX_EPOCH_MILLIS;
        boolean isLonger = time.compareTo(Duration.ofMillis(most)) > 0;
        return new KeyLimitsChange(KEEP, EXTEND + Math.max(0, isLonger ? most : time.toMillis()));
    }

    /**
     * Copies the limits of another shard unless the key has limits. Closes the key for at least as long as in the other
     * shard.
     */
    public static KeyLimitsChange copying(KeyLimitsPage.Field field) {
        return of(field, field.isClosure() ? EXTEND_UNTIL : SET_IF_ABSENT, field.value());
    }

    /**
     * Replaces a field if it still has the given value.
     *
     * @param value the new value; empty to remove the field, or a closure that has ended
     */
    public static KeyLimitsChange replacing(KeyLimitsPage.Field field, String value) {
        return of(field, REPLACE, field.value() + BY + value);
    }

    private static KeyLimitsChange of(KeyLimitsPage.Field field, String verb, String value) {
        return field.isClosure() ? new KeyLimitsChange(KEEP, verb + value) : new KeyLimitsChange(verb + value, KEEP);
    }
}
