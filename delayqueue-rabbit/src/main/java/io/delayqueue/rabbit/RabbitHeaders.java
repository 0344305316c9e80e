// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.rabbit;

/**
 * Names of headers. There are four groups: headers of messages that deliver tasks; task headers that set a property of
 * the message ({@link #PRIORITY}, {@link #EXPIRATION}, {@link #TYPE}); headers of messages to an intake; and headers of
 * messages that an intake rejected.
 *
 * <p>A message that delivers a task also has the task's own headers. It is persistent. The {@code messageId} is the
 * task's id, the {@code contentType} is that of the payload, and the {@code timestamp} is the time of publication in
 * whole seconds, by the clock of the publishing process; {@link #DUE_AT} contains the due time. A {@link
 * RabbitMessageCustomizer} can change other properties.
 *
 * <p>A task is delivered at least once: after a lost confirm or a broken connection, the same task is delivered again.
 * To ignore duplicates, store the <em>{@link #TASK_KEY}</em> of handled tasks. It identifies one scheduled task in all
 * its deliveries. The id is not sufficient: if an id is scheduled again, or rescheduled during its delivery, the new
 * task has another key and is not a duplicate. The due time is not sufficient either, because a redrive changes it.
 */
public final class RabbitHeaders {

    /** Name of the delay queue, as text. */
    public static final String QUEUE = "dq-queue";

    /**
     * The task's id, if it is longer than the 255 bytes of a {@code messageId}; the message then has no {@code
     * messageId}. Absent for shorter ids.
     */
    public static final String ID = "dq-id";

    /**
     * Identifies one scheduled task in all its deliveries: text of 22 letters, digits, '-' and '_'. The key remains the
     * same across retries, redrives and dead letters. Each schedule call creates a new key, and so does a reschedule
     * with the outcome IN_FLIGHT.
     */
    public static final String TASK_KEY = "dq-task-key";

    /**
     * Due time as scheduled, last rescheduled or redriven, in milliseconds since the epoch, as a long. All attempts in
     * between have the same value.
     */
    public static final String DUE_AT = "dq-due-at";

    /** Number of the delivery attempt, from 1, as an int. Even a message for the first attempt may be a duplicate. */
    public static final String ATTEMPT = "dq-attempt";

    /**
     * Fencing token of the lease under which the message was sent, as a long. It increases with each delivery of a
     * task, so that the later of two duplicates has the higher token. Tokens of different tasks are not comparable.
     */
    public static final String FENCING_TOKEN = "dq-fencing-token";

    /**
     * A task header that sets the message's {@code priority} instead of a message header: digits from {@code 0} to
     * {@code 255}. It is effective only in a quorum queue or in a queue with {@code x-max-priority}, which {@code
     * rabbit.declare.queue} does not set. If the value is invalid, the task becomes dead when it is delivered. A
     * handler receives it as an ordinary header.
     */
    public static final String PRIORITY = "amqp_priority";

    /**
     * A task header that sets the message's {@code expiration} instead of a message header: the number of milliseconds
     * for which a RabbitMQ queue keeps the message, up to 4,294,967,295. A task with an invalid value becomes dead.
     */
    public static final String EXPIRATION = "amqp_expiration";

    /**
     * A task header that sets the message's {@code type} instead of a message header: at most 255 bytes. A task with a
     * longer value becomes dead.
     */
    public static final String TYPE = "amqp_type";

    /**
     * Header of a message to an intake: the delay in milliseconds, a number or a string of digits. Zero or less means
     * immediately.
     */
    public static final String DELAY = "x-delay";

    /**
     * Header of a message to an intake without {@link #DELAY}: the due time in milliseconds since the epoch, or as an
     * AMQP timestamp.
     */
    public static final String DELAY_UNTIL = "x-delay-until";

    /** Equivalent to {@link #DELAY_UNTIL}, with the name that quorum queues of RabbitMQ 4.4 use. */
    public static final String DELIVERY_TIME = "x-opt-delivery-time";

    /**
     * Header of a message to an intake: the id of its task. A later message with this id replaces the task or cancels
     * it.
     */
    public static final String DELAY_ID = "x-delay-id";

    /** Header of a message to an intake: {@code true} cancels the task of its {@link #DELAY_ID}. */
    public static final String DELAY_CANCEL = "x-delay-cancel";

    /**
     * Header of a message to an intake: the key of its task. A message that cancels the task must have the same key.
     */
    public static final String DELAY_KEY = "x-delay-key";

    /**
     * Header of a message to an intake: the group of its task. A message that cancels the task must have the same
     * group.
     */
    public static final String DELAY_GROUP = "x-delay-group";

    /** Header of a message that an intake has rejected: the reason. */
    public static final String REJECTED_REASON = "dq-rejected-reason";

    /** Header of a message that an intake has rejected: the exchange that it was published to. */
    public static final String REJECTED_EXCHANGE = "dq-rejected-exchange";

    /** Header of a message that an intake has rejected: its original routing key. */
    public static final String REJECTED_ROUTING_KEY = "dq-rejected-routing-key";

    private RabbitHeaders() {}
}
