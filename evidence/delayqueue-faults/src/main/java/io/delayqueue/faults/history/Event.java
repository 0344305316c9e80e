// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.history;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import io.delayqueue.ConflictPolicy;
import org.jspecify.annotations.Nullable;

/**
 * One thing that a process did, saw or was done to. Times named {@code redisMicros} are the Redis server's clock in
 * microseconds since the epoch, as the process reckons it from {@code TIME} answers; those named {@code dueMillis} are
 * due times by that clock.
 *
 * <p>A <em>version</em> is a text that no two different requests to schedule share, carried in the payload, so that
 * each task that was ever stored under an id can be told from the others. Sending the same request again keeps its
 * version.
 */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "event")
@JsonSubTypes({
    @JsonSubTypes.Type(value = Event.Invoked.class, name = "invoked"),
    @JsonSubTypes.Type(value = Event.Answered.class, name = "answered"),
    @JsonSubTypes.Type(value = Event.Acquired.class, name = "acquired"),
    @JsonSubTypes.Type(value = Event.Dropped.class, name = "dropped"),
    @JsonSubTypes.Type(value = Event.Settling.class, name = "settling"),
    @JsonSubTypes.Type(value = Event.Settled.class, name = "settled"),
    @JsonSubTypes.Type(value = Event.Renewed.class, name = "renewed"),
    @JsonSubTypes.Type(value = Event.Started.class, name = "started"),
    @JsonSubTypes.Type(value = Event.Fenced.class, name = "fenced"),
    @JsonSubTypes.Type(value = Event.Ended.class, name = "ended"),
    @JsonSubTypes.Type(value = Event.Arrived.class, name = "arrived"),
    @JsonSubTypes.Type(value = Event.Changed.class, name = "changed"),
    @JsonSubTypes.Type(value = Event.Fault.class, name = "fault")
})
public sealed interface Event {

    /**
     * Returns the id of the task that it is about; null if it is about none, or says so only by a number of another
     * event.
     */
    default @Nullable String id() {
        return null;
    }

    /**
     * A call of the application begins; written before it is made.
     *
     * @param call a number that no other call of this process has
     * @param verb what is asked for
     * @param version of the task to be stored; null but for SCHEDULE
     * @param policy null but for SCHEDULE
     * @param delayMillis the delay asked for; null where a point in time or nothing was asked for
     * @param atMillis the point in time asked for; null where a delay or nothing was asked for
     * @param requestId hexadecimal, where it is known
     * @param redisMicros no later than the call, where it is known
     */
    record Invoked(
            long call,
            Verb verb,
            String queue,
            String id,
            @Nullable String version,
            @Nullable ConflictPolicy policy,
            @Nullable Long delayMillis,
            @Nullable Long atMillis,
            @Nullable String requestId,
            @Nullable Long redisMicros)
            implements Event {}

    /** What a call asks for. */
    enum Verb {
        SCHEDULE,
        CANCEL,
        RESCHEDULE
    }

    /**
     * A call is over; written before anything else is done with its answer. A call without such an event is one whose
     * answer is unknown.
     *
     * @param call its number
     * @param answer what is known
     * @param outcome the name of the outcome, as CREATED or IN_FLIGHT; null unless OK
     * @param dueMillis the due time answered, where one was
     * @param redisMicros no earlier than the answer, where it is known
     * @param error what was thrown; null if nothing
     */
    record Answered(
            long call,
            Answer answer,
            @Nullable String outcome,
            @Nullable Long dueMillis,
            @Nullable Long redisMicros,
            @Nullable String error)
            implements Event {}

    /** What a caller knows when its call is over. */
    enum Answer {
        /** It was carried out. */
        OK,
        /** It was not carried out and never will be. */
        FAIL,
        /** It may have been carried out, or may be yet. */
        UNKNOWN
    }

    /**
     * A task was acquired, as the store answered.
     *
     * @param shard its number
     * @param token the fencing token; grows within a shard
     * @param dueMillis the due time, by the store
     * @param failures attempts that failed before, by the store
     * @param expiries leases that ran out before, by the store
     * @param redisMicros the moment of the acquisition
     * @param leaseMillis the lease asked for
     * @param sentMicros when the call was sent, in the time of {@link Entry#micros()}
     */
    record Acquired(
            String queue,
            int shard,
            String id,
            long token,
            long dueMillis,
            int failures,
            int expiries,
            long redisMicros,
            long leaseMillis,
            long sentMicros)
            implements Event {}

    /**
     * An acquire found a task that is to be attempted no more, as the store answered: it is dead or deleted from then
     * on.
     *
     * @param shard its number
     * @param reason of the store
     * @param redisMicros the moment of the acquire; the same as of the tasks that it brought
     */
    record Dropped(String queue, int shard, String id, String reason, long redisMicros) implements Event {}

    /**
     * The end of a lease is about to be sent to the store.
     *
     * @param settling a number that no other of this process has
     * @param uncertain whether the delivery may have happened or may be under way still
     * @param delayMillis until the next attempt; null where there is to be none, or at once
     */
    record Settling(
            long settling,
            String queue,
            int shard,
            String id,
            long token,
            Ending ending,
            boolean uncertain,
            @Nullable Long delayMillis)
            implements Event {}

    /** How a lease ends, other than by time. */
    enum Ending {
        ACK,
        RETRY,
        AGAIN,
        DISCARD,
        DEAD,
        RELEASE
    }

    /**
     * What the store answered.
     *
     * @param settling the number of the {@link Settling}
     * @param accepted whether the lease was the caller's; null if that did not become known
     */
    record Settled(long settling, @Nullable Boolean accepted) implements Event {}

    /**
     * A lease was put off, or found lost.
     *
     * @param leaseMillis how long from the store's answer at most
     * @param accepted whether it was the caller's; null if that did not become known
     */
    record Renewed(
            String queue,
            int shard,
            String id,
            long token,
            long leaseMillis,
            @Nullable Boolean accepted) implements Event {}

    /**
     * A handler was called; written before it does anything.
     *
     * @param attempt from 1, as the library says
     * @param dueMillis the due time, as the library says
     * @param redisMicros no earlier than the call
     */
    record Started(
            String queue,
            String id,
            String version,
            long token,
            int attempt,
            long dueMillis,
            @Nullable Long redisMicros)
            implements Event {}

    /**
     * A handler is about to return or throw; written after all that it does.
     *
     * @param leaseLost whether the library says that the lease was lost
     */
    record Ended(String queue, String id, String version, long token, End end, boolean leaseLost) implements Event {}

    /**
     * A handler has written to a table that takes a write only if its fencing token is higher than that of the last
     * one.
     *
     * @param refusedBy the token that stood against it; null if it was taken
     */
    record Fenced(
            String queue,
            String id,
            String version,
            long token,
            @Nullable Long refusedBy) implements Event {}

    /** How a handler ends. */
    enum End {
        OK,
        FAILED,
        /** A stop interrupts it: nothing is known of its effect. */
        BROKEN_OFF
    }

    /**
     * A message was received from RabbitMQ; written before it is acknowledged.
     *
     * @param token the fencing token in its headers
     * @param attempt from 1, as its headers say
     * @param dueMillis the due time, as its headers say
     * @param redisMicros no earlier than the receipt
     * @param redelivered the broker's flag
     */
    record Arrived(
            String queue,
            String id,
            String version,
            long token,
            int attempt,
            long dueMillis,
            @Nullable Long redisMicros,
            boolean redelivered)
            implements Event {}

    /**
     * Something was done to a process by whoever runs the processes; KILLED, STOPPED and TERMINATING are written before
     * the signal is sent, the others after.
     *
     * @param name of the process as in its history
     */
    record Changed(String name, Change change) implements Event {}

    /** What can be done to a process. */
    enum Change {
        STARTED,
        KILLED,
        STOPPED,
        CONTINUED,
        TERMINATING
    }

    /**
     * A fault begins or ends; the beginning is written before, the end after.
     *
     * @param cell the cell of the run
     * @param name what is done, as {@code redis kill -9}
     * @param begins whether it begins, or ends
     */
    record Fault(String cell, String name, boolean begins) implements Event {}
}
