// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.control;

import io.delayqueue.TaskIds;
import io.delayqueue.internal.input.PrintableText;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Selects tasks of a queue. A task must match every condition. Build a filter from {@link #ALL}. A filter has at most
 * one condition of each kind: ids (a prefix, key or group), period, reason and header. If a condition is empty or
 * already set, the methods throw {@link IllegalArgumentException}, because a change could otherwise affect more tasks
 * than intended.
 *
 * @param idPrefix prefix of the id; empty for any
 * @param from start (inclusive) of the period in which the task is due or retried, its lease ends, or it died; null for
 *     any
 * @param until end (exclusive) of that period; null for any
 * @param reason text that the reason of the last failure contains; empty for any
 * @param exactReason whether a task must have exactly this reason; an empty {@code reason} then selects tasks without a
 *     reason
 * @param reasonKind kind of the reason, as shown by the console; empty for any
 * @param header name of a header; empty for any
 * @param headerValue value of that header
 */
public record TaskFilter(
        String idPrefix,
        @Nullable Instant from,
        @Nullable Instant until,
        String reason,
        boolean exactReason,
        String reasonKind,
        String header,
        String headerValue,
        boolean retrying) {

    /** Matches every task. */
    public static final TaskFilter ALL = new TaskFilter("", null, null, "", false, "", "", "", false);

    private static final int LONGEST_SHOWN = 300;
    private static final Instant LAST = Instant.parse("9999-12-31T23:59:59Z");
    private static final String A_REASON = "the reason";

    public TaskFilter {
        from = inMillis(from);
        until = inMillis(until);
    }

    /** Rounds up to the whole milliseconds in which Redis stores times. */
    private static @Nullable Instant inMillis(@Nullable Instant moment) {
        return (moment == null || moment.isAfter(LAST))
                ? moment
                : moment.plusNanos(999_999).truncatedTo(ChronoUnit.MILLIS);
    }

    /**
     * Limits the filter to ids with this prefix. Include the separator: {@code customer-1} also selects
     * {@code customer-17-order}.
     */
    public TaskFilter withIdPrefix(String idPrefix) {
        requireText(idPrefix, "the id prefix");
        requireNone(!this.idPrefix.isEmpty(), "an id prefix, a key or a group");
        return new TaskFilter(idPrefix, from, until, reason, exactReason, reasonKind, header, headerValue, retrying);
    }

    /** Limits the filter to tasks of this group without a key. */
    public TaskFilter withGroup(String group) {
        return withIdPrefix(TaskIds.groupPrefix(null, group));
    }

    /** Limits the filter to tasks of this key. */
    public TaskFilter withKey(String key) {
        return withIdPrefix(TaskIds.keyPrefix(key));
    }

    /** Limits the filter to tasks of this group and key. */
    public TaskFilter withGroup(String key, String group) {
        return withIdPrefix(TaskIds.groupPrefix(key, group));
    }

    /**
     * Limits the filter to tasks that are due or retried, whose lease ends, or that died between {@code from}
     * (inclusive) and {@code until} (exclusive).
     */
    public TaskFilter between(@Nullable Instant from, @Nullable Instant until) {
        requireNone(this.from != null || this.until != null, "a period");
        if (from != null && until != null && !from.isBefore(until)) {
            throw new IllegalArgumentException("'from' (" + from + ") must be before 'until' (" + until + ")");
        }
        return new TaskFilter(idPrefix, from, until, reason, exactReason, reasonKind, header, headerValue, retrying);
    }

    /** Limits the filter to tasks whose last failure has a reason that contains this text. */
    public TaskFilter withReason(String reason) {
        requireText(reason, A_REASON);
        requireNone(looksAtReasons(), A_REASON);
        return new TaskFilter(idPrefix, from, until, reason, false, "", header, headerValue, retrying);
    }

    /**
     * Limits the filter to tasks whose last failure has exactly this reason. An empty reason selects tasks without one.
     */
    public TaskFilter withExactReason(String reason) {
        requireNone(looksAtReasons(), A_REASON);
        return new TaskFilter(idPrefix, from, until, reason, true, "", header, headerValue, retrying);
    }

    /** Limits the filter to tasks whose last failure has a reason of this kind. */
    public TaskFilter withReasonKind(String kind) {
        requireText(kind, "the kind of the reason");
        requireNone(looksAtReasons(), A_REASON);
        return new TaskFilter(idPrefix, from, until, "", false, kind, header, headerValue, retrying);
    }

    /** Limits the filter to tasks whose header has this value. */
    public TaskFilter withHeader(String name, String value) {
        requireText(name, "the name of the header");
        requireNone(!header.isEmpty(), "a header");
        return new TaskFilter(idPrefix, from, until, reason, exactReason, reasonKind, name, value, retrying);
    }

    /** Limits the filter to tasks that have had a failed attempt. */
    public TaskFilter onlyRetrying() {
        return new TaskFilter(idPrefix, from, until, reason, exactReason, reasonKind, header, headerValue, true);
    }

    private boolean looksAtReasons() {
        return exactReason || !reason.isEmpty() || !reasonKind.isEmpty();
    }

    private static void requireText(String text, String what) {
        if (text.isEmpty()) {
            throw new IllegalArgumentException(
                    "The condition on " + what
                            + " is empty and would select every task. Pass a value, or use TaskFilter.ALL to select every task");
        }
    }

    private static void requireNone(boolean isSet, String what) {
        if (isSet) {
            throw new IllegalArgumentException("The filter already has a condition on " + what
                    + ". Start from TaskFilter.ALL, or make a separate call for each condition");
        }
    }

    /** Returns the conditions as readable text. */
    public Map<String, String> asText() {
        Map<String, String> text = new LinkedHashMap<>();
        put(text, "idPrefix", idPrefix);
        put(text, "from", from == null ? "" : from.toString());
        put(text, "until", until == null ? "" : until.toString());
        put(text, exactReason ? "exactReason" : "reason", reason);
        put(text, "withoutReason", exactReason && reason.isEmpty() ? "true" : "");
        if (!reasonKind.isEmpty()) {
            text.put("reasonKind", reasonKind);
        }
        put(text, "header", header.isEmpty() ? "" : header + "=" + headerValue);
        put(text, "retrying", retrying ? "true" : "");
        return text;
    }

    private static void put(Map<String, String> text, String name, String value) {
        if (!value.isEmpty()) {
            text.put(name, PrintableText.line(value, LONGEST_SHOWN));
        }
    }
}
