// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.check;

import io.delayqueue.faults.history.Entry;
import io.delayqueue.faults.history.Event;
import io.delayqueue.faults.history.Event.Answer;
import io.delayqueue.faults.history.Event.Verb;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A call of the application from its beginning to its answer. It took effect at one moment in between, if at all; a
 * call whose answer is not known, at any moment after its beginning.
 *
 * @param answer null if the process ended before it was there
 */
record Op(Entry begun, Event.Invoked invoked, @Nullable Entry ended, Event.@Nullable Answered answer) {

    /**
     * Of a task of a group that was cancelled, where the answer does not name it: nothing of it is delivered from then
     * on.
     */
    static final String GONE = "GONE";

    long begin() {
        return begun.micros();
    }

    /** Returns when its effect has been there for sure, if it had one. */
    long end() {
        return (isOk() && ended != null) ? ended.micros() : Long.MAX_VALUE;
    }

    boolean isOk() {
        return answer != null && answer.answer() == Answer.OK;
    }

    boolean isUnknown() {
        return answer == null || answer.answer() == Answer.UNKNOWN;
    }

    boolean is(String... outcomes) {
        return isOk() && answer != null && List.of(outcomes).contains(answer.outcome());
    }

    boolean isSchedule() {
        return invoked.verb() == Verb.SCHEDULE;
    }

    boolean isReschedule() {
        return invoked.verb() == Verb.RESCHEDULE;
    }

    /** Returns whether it stored its version for sure. */
    boolean stored() {
        return isSchedule()
                && is("CREATED", "REPLACED", "REPLACED_IN_FLIGHT", "REPLACED_DEAD", LastCommitWins.COMMITTED);
    }

    /** Returns whether it may have stored its version. */
    boolean mayHaveStored() {
        return isSchedule() && (stored() || isUnknown());
    }

    /** Returns whether it may have given what was there another due time. */
    boolean mayHaveRescheduled() {
        return isReschedule() && (is("RESCHEDULED", "IN_FLIGHT", LastCommitWins.COMMITTED) || isUnknown());
    }

    /**
     * Returns whether it may have rescheduled a task before it was answered that there is none: a call is sent again
     * when its connection breaks, and meets no task if that was rescheduled by the first time and delivered.
     */
    boolean mayHaveRescheduledUnseen() {
        return isReschedule() && is("NOT_FOUND");
    }

    boolean isOf(@Nullable String version) {
        return version != null && version.equals(invoked.version());
    }

    /** Returns whether a task with this due time may have got it from this call. */
    boolean mayBeDueAt(long dueMillis, long toleranceMillis) {
        if (answer != null && answer.dueMillis() != null) {
            return answer.dueMillis() == dueMillis;
        }
        if (invoked.atMillis() != null) {
            return invoked.atMillis() == dueMillis;
        }
        return dueMillis >= earliestDue(toleranceMillis) && dueMillis <= latestDue(toleranceMillis);
    }

    /**
     * Returns whether it may have stored a task with this due time before the one that it was answered for: a call with
     * a delay is sent again when its connection breaks, and stores anew, due later, what was delivered in between.
     */
    boolean mayHaveBeenDueAt(long dueMillis, long toleranceMillis) {
        return stored()
                && invoked.delayMillis() != null
                && dueMillis >= earliestDue(toleranceMillis)
                && dueMillis <= latestDue(toleranceMillis);
    }

    /** Returns the due time that was asked for, as early as it can be. */
    long earliestDue(long toleranceMillis) {
        if (invoked.atMillis() != null) {
            return invoked.atMillis();
        }
        if (invoked.delayMillis() == null || invoked.redisMicros() == null) {
            return Long.MIN_VALUE;
        }
        return invoked.redisMicros() / 1000 + invoked.delayMillis() - toleranceMillis;
    }

    /** Returns the same, as late as it can be. */
    long latestDue(long toleranceMillis) {
        if (invoked.atMillis() != null) {
            return invoked.atMillis();
        }
        if (!isOk() || answer == null || answer.redisMicros() == null || invoked.delayMillis() == null) {
            return Long.MAX_VALUE;
        }
        return answer.redisMicros() / 1000 + 1 + invoked.delayMillis() + toleranceMillis;
    }

    List<Entry> entries() {
        return (ended != null) ? List.of(begun, ended) : List.of(begun);
    }
}
