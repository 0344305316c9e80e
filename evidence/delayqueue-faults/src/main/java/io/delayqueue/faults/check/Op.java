// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.check;

import io.delayqueue.faults.history.Entry;
import io.delayqueue.faults.history.Event;
import io.delayqueue.faults.history.Event.Answer;
import io.delayqueue.faults.history.Event.Verb;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A call of the application from its beginning to its answer. If the call took effect, it did so between the two. If
 * its answer is unknown, it may have taken effect at any moment after its beginning.
 *
 * @param answer null if the process ended before the answer arrived
 */
record Op(Entry begun, Event.Invoked invoked, @Nullable Entry ended, Event.@Nullable Answered answer) {

    /** The outcome for a task of a cancelled group that the answer does not name: it is not delivered from then on. */
    static final String GONE = "GONE";

    long begin() {
        return begun.micros();
    }

    /** Returns the time by which its effect, if any, had certainly occurred. */
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

    /** Returns whether it certainly stored its version. */
    boolean stored() {
        return isSchedule()
                && is("CREATED", "REPLACED", "REPLACED_IN_FLIGHT", "REPLACED_DEAD", LastCommitWins.COMMITTED);
    }

    /** Returns whether it may have stored its version. */
    boolean mayHaveStored() {
        return isSchedule() && (stored() || isUnknown());
    }

    /** Returns whether it may have changed the due time of an existing task. */
    boolean mayHaveRescheduled() {
        return isReschedule() && (is("RESCHEDULED", "IN_FLIGHT", LastCommitWins.COMMITTED) || isUnknown());
    }

    /**
     * Returns whether the call may have rescheduled a task although the reply says that there is none. When a
     * connection breaks, the call is sent again. It finds no task if the first attempt rescheduled the task and the
     * task was then delivered.
     */
    boolean mayHaveRescheduledUnseen() {
        return isReschedule() && is("NOT_FOUND");
    }

    boolean isOf(@Nullable String version) {
        return version != null && version.equals(invoked.version());
    }

    /** Returns whether this call may have set this due time. */
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
     * Returns whether the call may have stored a task with this due time before the task in its reply. When its
     * connection breaks, a call with a delay is sent again. If the task was delivered in between, the call stores it
     * again with a later due time.
     */
    boolean mayHaveBeenDueAt(long dueMillis, long toleranceMillis) {
        return stored()
                && invoked.delayMillis() != null
                && dueMillis >= earliestDue(toleranceMillis)
                && dueMillis <= latestDue(toleranceMillis);
    }

    /** Returns the earliest possible due time of the request. */
    long earliestDue(long toleranceMillis) {
        if (invoked.atMillis() != null) {
            return invoked.atMillis();
        }
        if (invoked.delayMillis() == null || invoked.redisMicros() == null) {
            return Long.MIN_VALUE;
        }
        return invoked.redisMicros() / 1000 + invoked.delayMillis() - toleranceMillis;
    }

    /** Returns the latest possible due time of the request. */
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
