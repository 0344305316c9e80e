// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.rabbit;

/**
 * Headers of every message that carries a task, next to the task's own headers. The message's {@code messageId} is the
 * task's id, its {@code contentType} that of the payload, and it is persistent. Its {@code timestamp}, which AMQP has in
 * whole seconds, says when it was published, by the clock of the process that did so; when the task was due is in
 * {@link #DUE_AT}. A {@link RabbitMessageCustomizer} adds to that.
 *
 * <p>A task is delivered at least once: a lost confirm or a broken connection makes the same task come again. A
 * consumer that must not act twice keeps what it has handled under its <em>{@link #TASK_KEY}</em>, which is the same in
 * every delivery of one scheduled task and of no other. The id is not enough: an id that is scheduled again later, or
 * rescheduled while its delivery was under way, is delivered again under another key and is no duplicate. Nor is the
 * due time, which a redrive sets.
 */
public final class RabbitHeaders {

    /** Name of the delay queue; text. */
    public static final String QUEUE = "dq-queue";

    /**
     * The task's id, if it is longer than the 255 bytes of a {@code messageId}; then the message has none. Else absent.
     */
    public static final String ID = "dq-id";

    /**
     * What is the same in all deliveries of one scheduled task, and of no other task; text of 22 letters, digits, '-'
     * and '_'. It stays through retries, redrives and whatever the library does by itself, also on dead letters. Each
     * call of schedule makes another one, and so does a reschedule that was answered with IN_FLIGHT.
     */
    public static final String TASK_KEY = "dq-task-key";

    /**
     * Due time as scheduled, last rescheduled or redriven, in milliseconds since the epoch; a long. The same in every
     * attempt until then.
     */
    public static final String DUE_AT = "dq-due-at";

    /**
     * Which attempt to deliver this was, from 1; an int. Above 1 the message may be a duplicate; at 1 it may be too.
     */
    public static final String ATTEMPT = "dq-attempt";

    /**
     * Fencing token of the lease under which it was sent; a long. Grows from one delivery of a task to the next, so of
     * two duplicates the one with the greater token was sent later. Says nothing about two different tasks.
     */
    public static final String FENCING_TOKEN = "dq-fencing-token";

    /**
     * A header that a request gives to its task, and the message has as its {@code priority} instead: a number from 0 to 255.
     * A task with another value is dead.
     */
    public static final String PRIORITY = "amqp_priority";

    /**
     * A header that a request gives to its task, and the message has as its {@code expiration} instead: for how many
     * milliseconds a queue of the broker keeps the message. A task with another value is dead.
     */
    public static final String EXPIRATION = "amqp_expiration";

    /**
     * A header that a request gives to its task, and the message has as its {@code type} instead: at most 255 bytes. A
     * task with a longer value is dead.
     */
    public static final String TYPE = "amqp_type";

    /**
     * A header of a message that an intake takes: the delay in milliseconds, a number or a text of digits. Zero or less
     * means at once.
     */
    public static final String DELAY = "x-delay";

    /**
     * A header of a message that an intake takes, if it has no {@link #DELAY}: when it is due, in milliseconds since the
     * epoch or as an AMQP timestamp.
     */
    public static final String DELAY_UNTIL = "x-delay-until";

    /** The same as {@link #DELAY_UNTIL}, by the name that quorum queues of RabbitMQ 4.4 know. */
    public static final String DELIVERY_TIME = "x-opt-delivery-time";

    /**
     * A header of a message that an intake takes: the id of its task. A later message with this id replaces the task or
     * cancels it.
     */
    public static final String DELAY_ID = "x-delay-id";

    /** A header of a message that an intake takes: {@code true} cancels the task of its {@link #DELAY_ID}. */
    public static final String DELAY_CANCEL = "x-delay-cancel";

    /** A header of a message that an intake takes: the key of its task. A cancel names the same key. */
    public static final String DELAY_KEY = "x-delay-key";

    /** A header of a message that an intake takes: the group of its task. A cancel names the same group. */
    public static final String DELAY_GROUP = "x-delay-group";

    /** Says on a message that an intake has rejected why it could not be stored. */
    public static final String REJECTED_REASON = "dq-rejected-reason";

    /** Names on a message that an intake has rejected the exchange to which it was published. */
    public static final String REJECTED_EXCHANGE = "dq-rejected-exchange";

    /** Has on a message that an intake has rejected the routing key with which it was published. */
    public static final String REJECTED_ROUTING_KEY = "dq-rejected-routing-key";

    private RabbitHeaders() {}
}
