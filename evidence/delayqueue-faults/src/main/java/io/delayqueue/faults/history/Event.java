// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.history;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import io.delayqueue.ConflictPolicy;
import org.jspecify.annotations.Nullable;

/**
 * An action or observation of a process, or an action that affected the process. Times named {@code redisMicros} are
 * times of the Redis server's clock in microseconds since the epoch, which the process estimates from replies to {@code
 * TIME}. Times named {@code dueMillis} are due times by that clock.
 *
 * <p>A <em>version</em> is a string in the payload that is unique to each schedule request, so that the tasks that were
 * ever stored under an id can be distinguished. A repeated request keeps its version.
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

    /** Returns the id of its task; null if it concerns no task, or names it only by the number of another event. */
    default @Nullable String id() {
        return null;
    }

    /**
     * A call of the application begins. Written before the call is made.
     *
     * @param call a number, unique among the calls of this process
     * @param verb the kind of request
     * @param version version of the task to be stored; only for SCHEDULE, otherwise null
     * @param policy null but for SCHEDULE
     * @param delayMillis the requested delay; null if a moment or no time was requested
     * @param atMillis the requested moment; null if a delay or no time was requested
     * @param requestId hexadecimal; null if unknown
     * @param redisMicros no later than the call; null if unknown
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

    /** The kinds of calls. */
    enum Verb {
        SCHEDULE,
        CANCEL,
        RESCHEDULE
    }

    /**
     * A call has ended. Written before the answer is used. Without this event the answer of a call is unknown.
     *
     * @param call its number
     * @param answer what is known
     * @param outcome the name of the outcome, such as CREATED or IN_FLIGHT; null unless OK
     * @param dueMillis the due time in the answer; null for none
     * @param redisMicros no earlier than the answer; null if unknown
     * @param error the exception; null for none
     */
    record Answered(
            long call,
            Answer answer,
            @Nullable String outcome,
            @Nullable Long dueMillis,
            @Nullable Long redisMicros,
            @Nullable String error)
            implements Event {}

    /** Outcomes of a call, as its caller knows them. */
    enum Answer {
        /** It was executed. */
        OK,
        /** It was not executed and never will be. */
        FAIL,
        /** It may have been executed, or may still be. */
        UNKNOWN
    }

    /**
     * A task was acquired, according to the store's reply.
     *
     * @param shard its number
     * @param token the fencing token; grows within a shard
     * @param dueMillis the due time, by the store
     * @param failures earlier failed attempts, according to the store
     * @param expiries earlier expired leases, according to the store
     * @param redisMicros the moment of the acquisition
     * @param leaseMillis the requested lease
     * @param sentMicros time when the call was sent, as in {@link Entry#micros()}
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
     * An acquire found a task that must not be attempted again, according to the store's reply: it is dead or deleted
     * from then on.
     *
     * @param shard its number
     * @param reason reason from the store
     * @param redisMicros the moment of the acquire, as for the tasks that it returned
     */
    record Dropped(String queue, int shard, String id, String reason, long redisMicros) implements Event {}

    /**
     * The end of a lease is about to be sent to the store.
     *
     * @param settling a number, unique within this process
     * @param uncertain whether the delivery may have happened or may still be in progress
     * @param delayMillis delay until the next attempt; null if there is none, or it is immediate
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

    /** The possible ends of a lease before its time. */
    enum Ending {
        ACK,
        RETRY,
        AGAIN,
        DISCARD,
        DEAD,
        RELEASE
    }

    /**
     * The store's reply.
     *
     * @param settling the number of the {@link Settling}
     * @param accepted whether the caller had the lease; null if unknown
     */
    record Settled(long settling, @Nullable Boolean accepted) implements Event {}

    /**
     * A lease was renewed, or found lost.
     *
     * @param leaseMillis maximum duration from the store's reply
     * @param accepted whether the caller had the lease; null if unknown
     */
    record Renewed(
            String queue,
            int shard,
            String id,
            long token,
            long leaseMillis,
            @Nullable Boolean accepted) implements Event {}

    /**
     * A handler was called. Written before it acts.
     *
     * @param attempt number of the attempt from 1, according to the library
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
     * A handler is about to return or throw. Written after its last action.
     *
     * @param leaseLost whether the library reports that the lease was lost
     */
    record Ended(String queue, String id, String version, long token, End end, boolean leaseLost) implements Event {}

    /**
     * A handler has written to a table that accepts a write only if its fencing token is higher than the last one.
     *
     * @param refusedBy the token that prevented the write; null if it was accepted
     */
    record Fenced(
            String queue,
            String id,
            String version,
            long token,
            @Nullable Long refusedBy) implements Event {}

    /** The possible ends of a handler call. */
    enum End {
        OK,
        FAILED,
        /** A stop interrupted it; its effect is unknown. */
        BROKEN_OFF
    }

    /**
     * A message was received from RabbitMQ; written before it is acknowledged.
     *
     * @param token its fencing token from its headers
     * @param attempt number of the attempt from 1, according to its headers
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
     * The runner of the processes started, stopped or signalled one of them. KILLED, STOPPED and TERMINATING are
     * written before the signal is sent, the others afterwards.
     *
     * @param name name of the process, as in its history
     */
    record Changed(String name, Change change) implements Event {}

    /** The changes to a process. */
    enum Change {
        STARTED,
        KILLED,
        STOPPED,
        CONTINUED,
        TERMINATING
    }

    /**
     * A fault begins or ends. The beginning is written before the fault, the end after it.
     *
     * @param cell the cell of the run
     * @param name description of the fault, such as {@code redis kill -9}
     * @param begins {@code true} for the beginning of the fault, {@code false} for its end
     */
    record Fault(String cell, String name, boolean begins) implements Event {}
}
