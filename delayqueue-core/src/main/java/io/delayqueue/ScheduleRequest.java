// SPDX-License-Identifier: Apache-2.0
package io.delayqueue;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.Base64;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * A request to schedule a task. Immutable. The id and an internal request id are set when it is built. Therefore, if
 * you repeat the same request after a time-out, a task that is still stored is not stored again.
 * <pre>{@code
 * ScheduleRequest.to("orders")
 *         .payload(new OrderTimeout(42))
 *         .id("order-42")
 *         .dueIn(Duration.ofMinutes(15))
 *         .build();
 * }</pre>
 *
 * <p>{@link Builder#build} checks that the request is complete. {@code schedule} checks the rest, and throws
 * {@link InvalidTaskException}:
 *
 * <ul>
 *   <li>The id is not blank and has no control characters. Including key and group, it has at most {@code
 *       delayqueue.max-id-length} bytes, by default 256. An id of the form <code>{a}:b</code> or <code>{a}~b</code>
 *       names a key or a group ({@link TaskIds}).
 *   <li>A header's name has 1 to 128 printable ASCII characters without spaces and does not begin with {@code dq-}. All
 *       names and values have at most {@code delayqueue.max-header-size}, by default 8 KiB.
 *   <li>The encoded payload has at most {@code delayqueue.max-payload-size}, by default 256 KiB.
 *   <li>At most 16 replicas are required.
 * </ul>
 *
 * @param <T> the payload type
 */
public final class ScheduleRequest<T> {

    private static final RequestIds REQUEST_IDS = new RequestIds();
    private static final Duration LONGEST_WAIT = Duration.ofDays(3_650);

    private final String queue;
    private final String id;
    private final byte[] requestId;
    private final T payload;
    private final Due due;
    private final Map<String, String> headers;
    private final ConflictPolicy conflictPolicy;
    private final Optional<Duration> maxWait;
    private final OptionalInt replicas;
    private final @Nullable Duration expiresAfter;
    private final @Nullable LocalDueTime localTime;
    private final @Nullable DeliveryWindow window;
    private final boolean previousOpening;
    private final @Nullable Instant notAfter;

    private ScheduleRequest(Builder<T> builder) {
        this.queue = builder.queue;
        this.payload = given(builder.payload, "payload: call payload(...)");
        this.due = given(builder.due, "due time: call dueIn(...) or dueAt(...)");
        this.id = TaskIds.of(builder.key, builder.group, (builder.id != null) ? builder.id : builder.newId());
        this.requestId = (builder.requestName != null)
                ? RequestIds.named(builder.requestName, queue, this.id)
                : REQUEST_IDS.next();
        this.headers = Collections.unmodifiableMap(new LinkedHashMap<>(builder.headers));
        this.conflictPolicy = builder.conflictPolicy;
        this.maxWait = builder.maxWait();
        this.replicas = builder.replicas;
        this.expiresAfter = builder.expiresAfter;
        this.localTime = builder.localTime;
        this.window = builder.window;
        this.previousOpening = builder.previousOpening;
        this.notAfter = builder.notAfter;
    }

    private static <P> P given(@Nullable P part, String what) {
        if (part == null) {
            throw new InvalidTaskException("The request has no " + what + " before build()");
        }
        return part;
    }

    /** Starts a request for the named queue. For a {@link TypedQueue} use {@link TypedQueue#request}. */
    public static Builder<Object> to(String queue) {
        return new Builder<>(queue);
    }

    /** Starts a request for the named queue with this payload. Set the id with {@link Builder#id}. */
    public static <T> Builder<T> to(String queue, T payload) {
        return new Builder<T>(queue).payload(payload);
    }

    /** Returns the queue. */
    public String queue() {
        return queue;
    }

    /**
     * Returns the full id of the task, which includes its key and group ({@link TaskIds}). Cancel the task by this id.
     */
    public String id() {
        return id;
    }

    /** Returns 16 bytes that identify this request. */
    public byte[] requestId() {
        return requestId.clone();
    }

    /** Returns the payload. */
    public T payload() {
        return payload;
    }

    /** Returns the due time. */
    public Due due() {
        return due;
    }

    /** Returns the headers. */
    public Map<String, String> headers() {
        return headers;
    }

    /** Returns the key, if the task has one. */
    public Optional<String> key() {
        return TaskIds.keyOf(id);
    }

    /** Returns the group, if the task has one. */
    public Optional<String> group() {
        return TaskIds.groupOf(id);
    }

    /** Returns the policy for an existing id. */
    public ConflictPolicy conflictPolicy() {
        return conflictPolicy;
    }

    /**
     * Returns the maximum time by which further calls may postpone the due time with {@link ConflictPolicy#DEBOUNCE},
     * measured from the first call.
     */
    public Optional<Duration> maxWait() {
        return maxWait;
    }

    /**
     * Returns the number of replicas that must confirm the task before the call returns; empty to use the queue's
     * setting.
     */
    public OptionalInt minReplicas() {
        return replicas;
    }

    /** Returns the maximum lateness of the delivery; empty to use the queue's setting. */
    public Optional<Duration> expiresAfter() {
        return Optional.ofNullable(expiresAfter);
    }

    /** Returns the due time as local time in a zone, if it was given as such. */
    public Optional<LocalDueTime> localTime() {
        return Optional.ofNullable(localTime);
    }

    /** Returns the delivery hours of the task; empty to use the queue's setting. */
    public Optional<DeliveryWindow> window() {
        return Optional.ofNullable(window);
    }

    /** Returns whether a due time outside the delivery hours moves back to the previous opening. */
    public boolean previousOpening() {
        return previousOpening;
    }

    /** Returns the latest time for a delivery, if any. */
    public Optional<Instant> notAfter() {
        return Optional.ofNullable(notAfter);
    }

    /** Shows the queue and the id, never the payload or the headers. */
    @Override
    public String toString() {
        return "ScheduleRequest[queue=" + queue + ", id=" + id + ", due=" + due + ", onConflict=" + conflictPolicy
                + "]";
    }

    /** Builder for a {@link ScheduleRequest}. Not thread-safe. */
    public static final class Builder<T> {

        private final String queue;
        private @Nullable String id;
        private @Nullable T payload;
        private @Nullable Due due;
        private final Map<String, String> headers = new LinkedHashMap<>();
        private @Nullable String key;
        private @Nullable String group;
        private ConflictPolicy conflictPolicy = ConflictPolicy.REPLACE;
        private @Nullable Duration maxWait;
        private OptionalInt replicas = OptionalInt.empty();
        private @Nullable String requestName;
        private @Nullable Duration expiresAfter;
        private @Nullable LocalDueTime localTime;
        private @Nullable DeliveryWindow window;
        private boolean previousOpening;
        private @Nullable Instant notAfter;

        private Builder(String queue) {
            this.queue = queue;
        }

        /**
         * Sets the id of the task, by which you can cancel, reschedule or replace it. Unique within its queue. Default:
         * a generated id.
         */
        public Builder<T> id(String id) {
            this.id = id;
            return this;
        }

        /**
         * Sets the payload: any object that the queue's codec can write, or a String, byte[] or {@link EncodedPayload},
         * which are stored unchanged.
         */
        public Builder<T> payload(T payload) {
            this.payload = payload;
            return this;
        }

        /** Makes the task due after a delay, by the Redis server's clock. See {@link Due#after}. */
        public Builder<T> dueIn(Duration delay) {
            return due(Due.after(delay));
        }

        /** Makes the task due at the given time, by the Redis server's clock. See {@link Due#at}. */
        public Builder<T> dueAt(Instant dueAt) {
            return due(Due.at(dueAt));
        }

        /** Sets the due time. */
        public Builder<T> due(Due due) {
            this.due = due;
            this.localTime = null;
            return this;
        }

        /**
         * Makes the task due at a local time in a zone. If the clocks are set forward and skip this time, the due time
         * moves by the length of the gap; if they are set back and repeat it, the first occurrence counts ({@link
         * LocalDueTime#toInstant}). The local time is stored with the task. If the zone's rules change before the
         * delivery and the local time is now later, the task waits until then. A reschedule replaces the local time.
         * If delivery hours move the due time back, no local time is stored.
         */
        public Builder<T> dueAt(LocalDateTime time, ZoneId zone) {
            LocalDueTime local = new LocalDueTime(time, zone);
            due(Due.at(local.toInstant()));
            this.localTime = local;
            return this;
        }

        /**
         * Limits delivery to these hours. When the task is scheduled, a due time outside the hours moves to the next
         * opening. The hours are checked again before each delivery, for example after a retry, an outage or a
         * reschedule: outside the hours, the task waits for the next opening. This does not count as an attempt.
         * Default: the queue's {@code window}. Use {@link DeliveryWindow#ALWAYS} for any time.
         */
        public Builder<T> within(DeliveryWindow window) {
            this.window = window;
            return this;
        }

        /**
         * Moves a due time outside the hours back to the start of the previous opening, so that the complete opening is
         * available for retries. If that moment has passed, the task is due immediately or at the next opening.
         */
        public Builder<T> previousOpening() {
            this.previousOpening = true;
            return this;
        }

        /**
         * Sets the latest delivery time, for example the time of the appointment for a reminder. A due time outside the
         * hours moves to the next opening. If that is too late, it moves back to the previous opening, as with {@link
         * #previousOpening}. After this moment the task {@linkplain #expiresAfter expires}. A reschedule, a redrive and
         * each further round ({@link io.delayqueue.handler.DelayedTask#again}) move this moment by the same amount as
         * the due time. {@code schedule} throws {@link InvalidTaskException} if this moment is not after the due time,
         * or if the hours do not open before it. For a relative due time, this check uses the clock of this process.
         * Cannot be combined with {@link #debounce}.
         *
         * @param latest the latest due time; must be after the due time
         */
        public Builder<T> notAfter(Instant latest) {
            this.notAfter = latest;
            return this;
        }

        /** Adds a header that is delivered with the task. Names that begin with {@code dq-} are reserved. */
        public Builder<T> header(String name, String value) {
            this.headers.put(name, value);
            return this;
        }

        /** Adds all of these headers. */
        public Builder<T> headers(Map<String, String> headers) {
            this.headers.putAll(headers);
            return this;
        }

        /**
         * Sets the key of the task, for example a tenant. All tasks of a key are in the same shard. The key becomes
         * part of the id: find and change the task with {@link DelayQueueOperations#key}, or by the full id from {@link
         * ScheduleRequest#id()}. Without a key, the group determines the shard; without a group, the id.
         *
         * @param key the key
         * @throws InvalidTaskException if it is empty
         */
        public Builder<T> key(String key) {
            this.key = notEmpty("key", key);
            return this;
        }

        /**
         * Adds the task to a group of tasks that you can cancel, list, count and postpone together, with {@link
         * DelayQueueOperations#group}, or with {@link KeyedQueue#group} if they have a key. All tasks of a group are in
         * the same shard. The group becomes part of the id: the task {@code reminder} of the group {@code order:42} has
         * the full id {@code {order:42}~reminder}. {@link ScheduleRequest#id()} returns that id.
         *
         * @param group the group
         * @throws InvalidTaskException if it is empty
         */
        public Builder<T> group(String group) {
            this.group = notEmpty("group", group);
            return this;
        }

        private @Nullable String notEmpty(String what, @Nullable String name) {
            if (name != null && name.isEmpty()) {
                throw new InvalidTaskException(
                        "Queue '" + queue + "': the " + what + " of a task is empty; name one, or leave it out");
            }
            return name;
        }

        /** Sets the policy for an existing id. Default: {@link ConflictPolicy#REPLACE}. */
        public Builder<T> onConflict(ConflictPolicy conflictPolicy) {
            this.conflictPolicy = conflictPolicy;
            return this;
        }

        /**
         * Keeps a live task with this id and replaces a dead one, for example to start a recurring task only once.
         * Short for {@link ConflictPolicy#THROTTLE}.
         */
        public Builder<T> keepLive() {
            return onConflict(ConflictPolicy.THROTTLE);
        }

        /**
         * Postpones the due time with each call for the id, up to a maximum wait ({@link ConflictPolicy#DEBOUNCE}). For
         * example, with a delay of 5 seconds and a maximum wait of a minute, a document is indexed 5 seconds after its
         * last change, but no later than one minute after the first. The payload and headers of the last call are
         * delivered. The {@link ScheduleResult} contains the due time. Redis measures the times by its own clock,
         * atomically with the check for an existing task.
         *
         * @param maxWait maximum wait, measured from the first call after the last delivery; rounded up to whole
         *     milliseconds and limited to 99,999,999,999,999 ms, about 3,168 years
         * @throws InvalidTaskException if it is negative or extends beyond the year 9999
         */
        public Builder<T> debounce(Duration maxWait) {
            if (maxWait.isNegative()) {
                throw new InvalidTaskException("The maximum wait must not be negative, but is " + maxWait);
            }
            this.maxWait = Duration.ofMillis(Due.after(maxWait).millis());
            return onConflict(ConflictPolicy.DEBOUNCE);
        }

        private Optional<Duration> maxWait() {
            if (conflictPolicy != ConflictPolicy.DEBOUNCE) {
                return Optional.empty();
            }
            if (notAfter != null) {
                throw new InvalidTaskException(
                        "notAfter(...) cannot be combined with debounce(...), whose maximum wait may"
                                + " make the task due earlier than requested. Use expiresAfter(...) instead");
            }
            return Optional.of(
                    given(maxWait, "maximum wait: call debounce(...) instead of onConflict(ConflictPolicy.DEBOUNCE)"));
        }

        /**
         * Sets the number of replicas of the Redis master that must confirm the task before the call returns, so that
         * the task survives the loss of the master; 0 for none. If they do not confirm in time, the call fails with
         * {@link TaskNotReplicatedException}, although the task is stored. Default: {@code
         * delayqueue.queues.<name>.min-replicas}.
         */
        public Builder<T> minReplicas(int replicas) {
            this.replicas = OptionalInt.of(replicas);
            return this;
        }

        /**
         * Sets the maximum lateness of the delivery. A task that is later is not delivered; {@code
         * delayqueue.queues.<name>.expired} defines whether it becomes dead with the reason {@code expired} or is
         * deleted. The limit also applies to retries. A reschedule, a redrive and a further round restart the time.
         * Default: the queue's {@code expires-after}.
         *
         * @param expiresAfter maximum time after the due time, by the Redis server's clock, in whole milliseconds
         * @throws InvalidTaskException if it is less than a millisecond or more than 3,650 days
         */
        public Builder<T> expiresAfter(Duration expiresAfter) {
            if (expiresAfter.compareTo(Duration.ofMillis(1)) < 0 || expiresAfter.compareTo(LONGEST_WAIT) > 0) {
                throw new InvalidTaskException(
                        "expiresAfter must be between 1ms and " + LONGEST_WAIT.toDays() + "d, but is " + expiresAfter);
            }
            this.expiresAfter = expiresAfter;
            return this;
        }

        /**
         * Sets a name by which repeated requests are recognized as the same request, for example when a caller retries
         * after a restart. While the task is stored, further calls with the name return the first result and store
         * nothing, even with another due time or payload. A task that no longer exists is stored again. A task that was
         * rescheduled during a delivery has another task key, so it no longer counts as the task of this request.
         * Without an explicit id, the id is derived from the name. Without a name, each request that you build is
         * distinct.
         *
         * @param name text that is unique among the requests for this queue and id, such as the id of a message
         */
        public Builder<T> idempotencyKey(String name) {
            this.requestName = name;
            return this;
        }

        /**
         * Builds the request.
         *
         * @throws InvalidTaskException if the payload, the due time or the maximum wait of a debounce is missing, or if
         *     a debounce has a latest delivery time ({@link #notAfter})
         */
        public ScheduleRequest<T> build() {
            return new ScheduleRequest<>(this);
        }

        /**
         * Returns an id of 22 characters: a new id that sorts after earlier ids, or the same id for every request with
         * this name.
         */
        private String newId() {
            return (requestName == null)
                    ? TimeOrderedIds.SHARED.next()
                    : Base64.getUrlEncoder().withoutPadding().encodeToString(RequestIds.named(requestName, queue, ""));
        }
    }
}
