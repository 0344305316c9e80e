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
 * A task to be scheduled. Immutable; the id and a request id are fixed when it is built, so that sending the same
 * request again after a time-out cannot store the task twice.
 *
 * <pre>{@code
 * ScheduleRequest.to("orders")
 *         .payload(new OrderTimeout(42))
 *         .id("order-42")
 *         .dueIn(Duration.ofMinutes(15))
 *         .onConflict(ConflictPolicy.KEEP)
 *         .build();
 * }</pre>
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
    private final @Nullable String requestName;

    private ScheduleRequest(Builder<T> builder) {
        this.queue = builder.queue;
        this.payload = given(builder.payload, "payload: call payload(...)");
        this.due = given(builder.due, "due time: call dueIn(...) or dueAt(...)");
        String id = (builder.id != null) ? builder.id : newId(builder);
        this.id = TaskIds.of(notEmpty(builder, "key", builder.key), notEmpty(builder, "group", builder.group), id);
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
        this.requestName = builder.requestName;
    }

    private static @Nullable String notEmpty(Builder<?> builder, String what, @Nullable String name) {
        if (name != null && name.isEmpty()) {
            throw new InvalidTaskIdException(
                    "Queue '" + builder.queue + "': the " + what + " of a task is empty; name one, or leave it out");
        }
        return name;
    }

    private static <P> P given(@Nullable P part, String what) {
        if (part == null) {
            throw new InvalidTaskException("The request has no " + what + " before build()");
        }
        return part;
    }

    /** Begins a request for the named queue. */
    public static Builder<Object> to(String queue) {
        return new Builder<>(queue);
    }

    /** Begins a request for the named queue with this payload. */
    public static <T> Builder<T> to(String queue, T payload) {
        return new Builder<T>(queue).payload(payload);
    }

    /**
     * A builder that begins with all of this request. The id is fixed. What it builds is a request of its own, with another
     * request id, unless this one was given its own by {@link Builder#idempotencyKey}.
     */
    public Builder<T> toBuilder() {
        return new Builder<>(this);
    }

    /** An id of 22 characters: a new one that sorts behind earlier ones, or the same for every request of this name. */
    private static String newId(Builder<?> builder) {
        if (builder.requestName == null) {
            return TimeOrderedIds.SHARED.next();
        }
        byte[] bytes = RequestIds.named(builder.requestName, builder.queue, "");
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    public String queue() {
        return queue;
    }

    /** Returns the task's whole id, which names its key and group too ({@link TaskIds}). Cancel the task by this id. */
    public String id() {
        return id;
    }

    /** 16 bytes that tell this request from every other one. */
    public byte[] requestId() {
        return requestId.clone();
    }

    public T payload() {
        return payload;
    }

    public Due due() {
        return due;
    }

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

    public ConflictPolicy conflictPolicy() {
        return conflictPolicy;
    }

    /** With {@link ConflictPolicy#DEBOUNCE}: how long calls may put off the due time, from the first of them. */
    public Optional<Duration> maxWait() {
        return maxWait;
    }

    /** How many replicas are to have the task before the call returns; empty: as the queue is configured. */
    public OptionalInt minReplicas() {
        return replicas;
    }

    /** How long the task may be overdue when it is delivered; empty: as the queue is configured. */
    public Optional<Duration> expiresAfter() {
        return Optional.ofNullable(expiresAfter);
    }

    /** The due time as clocks of a place show it; empty where it was given otherwise. */
    public Optional<LocalDueTime> localTime() {
        return Optional.ofNullable(localTime);
    }

    /** In which hours the task may be delivered; empty: as the queue is configured. */
    public Optional<DeliveryWindow> window() {
        return Optional.ofNullable(window);
    }

    /** Whether a due time outside of the hours is moved back. */
    public boolean previousOpening() {
        return previousOpening;
    }

    /** The moment after which the task is not delivered; empty for none. */
    public Optional<Instant> notAfter() {
        return Optional.ofNullable(notAfter);
    }

    /** Names the queue and the id, never the payload or the headers. */
    @Override
    public String toString() {
        return "ScheduleRequest[queue=" + queue + ", id=" + id + ", due=" + due + ", onConflict=" + conflictPolicy
                + "]";
    }

    /** Collects the parts of a {@link ScheduleRequest}. Not safe for use by several threads. */
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

        private Builder(ScheduleRequest<T> request) {
            this.queue = request.queue;
            this.id = request.id;
            this.payload = request.payload;
            this.due = request.due;
            this.headers.putAll(request.headers);
            this.key = request.key().orElse(null);
            this.group = request.group().orElse(null);
            this.conflictPolicy = request.conflictPolicy;
            this.maxWait = request.maxWait.orElse(null);
            this.replicas = request.replicas;
            this.requestName = request.requestName;
            this.expiresAfter = request.expiresAfter;
            this.localTime = request.localTime;
            this.window = request.window;
            this.previousOpening = request.previousOpening;
            this.notAfter = request.notAfter;
        }

        /**
         * The task's identity within its queue, needed to cancel, reschedule or replace it. Unless given, one is made.
         */
        public Builder<T> id(String id) {
            this.id = id;
            return this;
        }

        /**
         * What to deliver: any object the queue's codec can write, or a String, byte[] or {@link EncodedPayload}, which pass as
         * they are.
         */
        public Builder<T> payload(T payload) {
            this.payload = payload;
            return this;
        }

        /** Due after a delay, by the Redis server's clock. See {@link Due#after}. */
        public Builder<T> dueIn(Duration delay) {
            return due(Due.after(delay));
        }

        /** Due at a point in time, by the Redis server's clock. See {@link Due#at}. */
        public Builder<T> dueAt(Instant dueAt) {
            return due(Due.at(dueAt));
        }

        /** Due at a time made elsewhere. */
        public Builder<T> due(Due due) {
            this.due = due;
            this.localTime = null;
            return this;
        }

        /**
         * Due when the clocks of a place show this time. Where clocks are set forward and skip it, the task is due later by as
         * much as they are set forward; where they are set back and show it twice, it is due at the first time ({@link
         * LocalDueTime#toInstant}). The local time stays with the task: when rules of the zone have changed until it is
         * delivered, so that the time comes later than it was reckoned, the task waits for it. A reschedule replaces it.
         */
        public Builder<T> dueAt(LocalDateTime time, ZoneId zone) {
            LocalDueTime local = new LocalDueTime(time, zone);
            due(Due.at(local.toInstant()));
            this.localTime = local;
            return this;
        }

        /**
         * Delivered in these hours only. A due time outside of them is moved to their next opening when the task is scheduled.
         * Retries, outages and reschedules move it again, so it is looked at before each delivery: outside of its hours a task
         * waits for their next opening, and that is no attempt. Unless given, as the queue is configured ({@code window});
         * {@link DeliveryWindow#ALWAYS} for any time.
         */
        public Builder<T> within(DeliveryWindow window) {
            this.window = window;
            return this;
        }

        /**
         * Moves a due time outside of the hours back, to the beginning of the previous opening, so that retries have the whole
         * opening. If that has passed, the task is due at once or at the next opening.
         */
        public Builder<T> previousOpening() {
            this.previousOpening = true;
            return this;
        }

        /**
         * The task is not delivered after this moment, such as the appointment that a reminder is for. A due time outside of the
         * hours is moved to the next opening if that is not later, and else back, as by {@link #previousOpening}. Later a task
         * {@linkplain #expiresAfter expires}. A reschedule moves this moment along with the due time.
         *
         * @param latest not before the due time
         */
        public Builder<T> notAfter(Instant latest) {
            this.notAfter = latest;
            return this;
        }

        /** A header that travels with the task. Names that begin with {@code dq-} are reserved. */
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
         * Gives the task a key, such as a tenant. All tasks of a key are in one shard. The key becomes a part of the id: find and
         * change the task by {@link DelayQueueOperations#key}, or by the whole id that {@link ScheduleRequest#id()} returns.
         * Without a key the group chooses the shard, and without a group the id.
         *
         * @param key not empty
         */
        public Builder<T> key(String key) {
            this.key = key;
            return this;
        }

        /**
         * Puts the task in a group: tasks that you cancel, list, count and put off together, with {@link
         * DelayQueueOperations#group}, or with {@link KeyedQueue#group} if they have a key. All tasks of a group are in one
         * shard. The group becomes a part of the id: the task {@code reminder} of the group {@code order:42} is {@code
         * {order:42}~reminder} in every other call. {@link ScheduleRequest#id()} returns that id.
         *
         * @param group not empty
         */
        public Builder<T> group(String group) {
            this.group = group;
            return this;
        }

        /** What to do when the id exists; {@link ConflictPolicy#REPLACE} unless given. */
        public Builder<T> onConflict(ConflictPolicy conflictPolicy) {
            this.conflictPolicy = conflictPolicy;
            return this;
        }

        /** Keeps a task that is stored under the id already; short for {@link ConflictPolicy#KEEP}. */
        public Builder<T> keepExisting() {
            return onConflict(ConflictPolicy.KEEP);
        }

        /**
         * Lets each call under the id put off the due time, up to a longest wait: {@link ConflictPolicy#DEBOUNCE}. With a delay
         * of 5 seconds and a longest wait of a minute a document is indexed 5 seconds after its last change, and at most a
         * minute after the first. The payload and the headers of the last call are delivered. The due time of the
         * {@link ScheduleResult} tells when. By the Redis server's clock, in one step with the look at what is there.
         *
         * @param maxWait counted from the first call since a delivery of the task began; in whole milliseconds, rounded up.
         *     More than 99,999,999,999,999 ms, some 3,168 years, count as that
         * @throws DueTimeOutOfRangeException if it is negative or reaches beyond the year 9999
         */
        public Builder<T> debounce(Duration maxWait) {
            if (maxWait.isNegative()) {
                throw new DueTimeOutOfRangeException("The longest wait must not be negative, but is " + maxWait);
            }
            this.maxWait = Duration.ofMillis(Due.after(maxWait).millis());
            return onConflict(ConflictPolicy.DEBOUNCE);
        }

        private Optional<Duration> maxWait() {
            if (conflictPolicy != ConflictPolicy.DEBOUNCE) {
                return Optional.empty();
            }
            return Optional.of(
                    given(maxWait, "longest wait: call debounce(...) instead of onConflict(ConflictPolicy.DEBOUNCE)"));
        }

        /**
         * How many replicas of the Redis master are to have the task before the call returns, so that it outlives the
         * master; 0 for none. Unless given, as the queue is configured ({@code delayqueue.queues.<name>.min-replicas}).
         * Where they do not have it in time the call fails with {@link TaskNotReplicatedException}, although the task
         * is stored.
         */
        public Builder<T> minReplicas(int replicas) {
            this.replicas = OptionalInt.of(replicas);
            return this;
        }

        /**
         * Too late is never: what is overdue by more than this when it would be delivered is not delivered. It becomes a dead
         * task or is deleted, as the queue is configured ({@code delayqueue.queues.<name>.expired}), with the reason {@code
         * expired}. Retries count from the due time too, so the last one that can begin does so within this time; a
         * reschedule moves the whole along. Unless given, as the queue is configured ({@code expires-after}).
         *
         * @param expiresAfter from the due time by the Redis server's clock, in whole milliseconds
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
         * Names this request, so that one which is built anew under the same name is the same request: for a caller that tries
         * again after a restart. While its task is stored, every further call is answered as the first was and stores nothing,
         * whatever its due time and payload say, unless the task was rescheduled while a delivery of it was under way, which
         * gives it another task key; a task that is not there any more is stored anew. Unless an id is given, it is
         * made of the name too. Without a name each built request is one of its own.
         *
         * @param name any text that no other request for this queue and id has, such as the id of the message being handled
         */
        public Builder<T> idempotencyKey(String name) {
            this.requestName = name;
            return this;
        }

        /** @throws InvalidTaskException if the payload, the due time or the longest wait of a debounce is missing */
        public ScheduleRequest<T> build() {
            return new ScheduleRequest<>(this);
        }
    }
}
