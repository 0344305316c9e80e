// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.faults.check;

import io.delayqueue.ConflictPolicy;
import io.delayqueue.faults.history.Entry;
import io.delayqueue.faults.history.Event;
import io.delayqueue.faults.history.Event.Answer;
import io.delayqueue.faults.history.Event.Change;
import io.delayqueue.faults.history.Event.End;
import io.delayqueue.faults.history.Event.Ending;
import io.delayqueue.faults.history.Event.Verb;
import io.delayqueue.internal.queue.Rate;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.platform.commons.support.ReflectionSupport;

/**
 * A history of one task or a few, made by hand. Times are milliseconds; the Redis server's clock shows the same. Calls
 * take 2 ms, leases last 5,000 ms.
 */
final class HandMade {

    static final String HANDLED = "handled";
    static final String FORWARDED = "forwarded";
    static final String ID = "task";
    static final int MAX_ATTEMPTS = 3;
    static final long LEASE = 5000;
    static final long RETRY_DELAY = 100;

    private final List<Entry> entries = new ArrayList<>();
    private final String queue;
    private CheckSettings settings =
            CheckSettings.of("cell", MAX_ATTEMPTS, Duration.ofMillis(LEASE), Set.of(FORWARDED));
    private FinalState end = FinalState.EMPTY;
    private String process = "a";
    private String id = ID;
    private int shard;
    private long redisAheadMillis;
    private long microsWithin;
    private long numbers;

    private HandMade(String queue) {
        this.queue = queue;
    }

    static HandMade handled() {
        return new HandMade(HANDLED);
    }

    static HandMade forwarded() {
        return new HandMade(FORWARDED);
    }

    /** Makes a history from steps such as {@code handled; schedule 0 v1 CREATED 100; dead v1 0 6 lease expired}. */
    static HandMade told(String text) {
        HandMade history = null;
        for (String step : text.split(";")) {
            String[] words = step.strip().split("\\s+");
            Method method = Stream.of(HandMade.class.getDeclaredMethods())
                    .filter(each -> each.getName().equals(words[0]) && each.getParameterCount() < words.length)
                    .max(Comparator.comparingInt(Method::getParameterCount))
                    .orElseThrow(() -> new IllegalArgumentException("There is no step " + step));
            // the last argument is the rest of the step
            String[] texts = step.strip().split("\\s+", method.getParameterCount() + 1);
            Object[] arguments = new Object[method.getParameterCount()];
            for (int i = 0; i < arguments.length; i++) {
                arguments[i] = argument(method.getParameterTypes()[i], texts[i + 1]);
            }
            history = (HandMade) ReflectionSupport.invokeMethod(method, history, arguments);
        }
        return history;
    }

    private static Object argument(Class<?> type, String word) {
        if (type.isEnum()) {
            return Stream.of(type.getEnumConstants())
                    .filter(constant -> constant.toString().equals(word))
                    .findFirst()
                    .orElseThrow();
        }
        if (type == long.class) {
            return Long.parseLong(word);
        }
        if (type == int.class) {
            return Integer.parseInt(word);
        }
        return (type == String.class) ? word : Boolean.parseBoolean(word);
    }

    HandMade withFaults() {
        settings = settings.withFaults();
        return this;
    }

    /** Limits of keys: one task at a time, and even spacing. */
    HandMade limited(long intervalMillis) {
        return limited(intervalMillis, 1);
    }

    HandMade limited(long intervalMillis, int burst) {
        settings = settings.withKeyLimits(new Rate(1, Duration.ofMillis(intervalMillis), burst), 1);
        return this;
    }

    HandMade with(CheckSettings other) {
        settings = other;
        return this;
    }

    CheckSettings settings() {
        return settings;
    }

    /** Sets the process of the following events. */
    HandMade in(String name) {
        process = name;
        return this;
    }

    /** Sets the task of the following events. */
    HandMade of(String other) {
        id = other;
        return this;
    }

    /** Sets the shard of the following acquires. */
    HandMade inShard(int number) {
        shard = number;
        return this;
    }

    /** Sets the Redis server's clock ahead for later leases and handlers. */
    HandMade withRedisClock(long aheadMillis) {
        redisAheadMillis = aheadMillis;
        return this;
    }

    HandMade schedule(long at, String version, String outcome, long due) {
        return call(at, at + 2, Verb.SCHEDULE, version, due, Answer.OK, outcome);
    }

    HandMade scheduleSlowly(long at, long until, String version, String outcome, long due) {
        return call(at, until, Verb.SCHEDULE, version, due, Answer.OK, outcome);
    }

    HandMade scheduleUnknown(long at, String version, long due) {
        return call(at, at + 2, Verb.SCHEDULE, version, due, Answer.UNKNOWN, null);
    }

    HandMade scheduleFailed(long at, String version, long due) {
        return call(at, at + 2, Verb.SCHEDULE, version, due, Answer.FAIL, null);
    }

    HandMade scheduleAfter(long at, String version, String outcome, long delay, long due) {
        return scheduleAfterSlowly(at, at + 2, version, outcome, delay, due);
    }

    HandMade scheduleAfterSlowly(long at, long until, String version, String outcome, long delay, long due) {
        long call = scheduleInvoked(at, version, delay);
        return add(until, new Event.Answered(call, Answer.OK, outcome, due, until * 1000, null));
    }

    HandMade scheduleAfterUnknown(long at, String version, long delay) {
        long call = scheduleInvoked(at, version, delay);
        return add(at + 2, new Event.Answered(call, Answer.UNKNOWN, null, null, (at + 2) * 1000, null));
    }

    private long scheduleInvoked(long at, String version, long delay) {
        long call = ++numbers;
        add(
                at,
                new Event.Invoked(
                        call, Verb.SCHEDULE, queue, id, version, ConflictPolicy.REPLACE, delay, null, null, at * 1000));
        return call;
    }

    HandMade cancel(long at, String outcome) {
        return call(at, at + 2, Verb.CANCEL, null, null, Answer.OK, outcome);
    }

    HandMade cancelUnknown(long at) {
        return call(at, at + 2, Verb.CANCEL, null, null, Answer.UNKNOWN, null);
    }

    HandMade cancelUnanswered(long at) {
        return add(at, new Event.Invoked(++numbers, Verb.CANCEL, queue, id, null, null, null, null, null, at * 1000));
    }

    HandMade reschedule(long at, String outcome, long due) {
        return call(at, at + 2, Verb.RESCHEDULE, null, due, Answer.OK, outcome);
    }

    HandMade rescheduleSlowly(long at, long until, String outcome, long due) {
        return call(at, until, Verb.RESCHEDULE, null, due, Answer.OK, outcome);
    }

    HandMade rescheduleAfter(long at, String outcome, long delay) {
        long call = ++numbers;
        add(at, new Event.Invoked(call, Verb.RESCHEDULE, queue, id, null, null, delay, null, null, at * 1000));
        return add(at + 2, new Event.Answered(call, Answer.OK, outcome, null, (at + 2) * 1000, null));
    }

    private HandMade call(
            long at,
            long until,
            Verb verb,
            @Nullable String version,
            @Nullable Long due,
            Answer answer,
            @Nullable String outcome) {
        long call = ++numbers;
        ConflictPolicy policy = (verb == Verb.SCHEDULE) ? ConflictPolicy.REPLACE : null;
        add(at, new Event.Invoked(call, verb, queue, id, version, policy, null, due, null, at * 1000));
        Long dueAnswered = (verb == Verb.SCHEDULE && answer == Answer.OK) ? due : null;
        return add(until, new Event.Answered(call, answer, outcome, dueAnswered, until * 1000, null));
    }

    /** Acquires happen this many microseconds after the start of a millisecond of the server's clock. */
    HandMade acquiringAt(long micros) {
        microsWithin = micros;
        return this;
    }

    /** Acquired; the call takes 2 ms. */
    HandMade acquire(long at, long token, long due) {
        return acquire(at, token, due, 0);
    }

    HandMade acquire(long at, long token, long due, int expiries) {
        return acquire(at, token, due, 0, expiries);
    }

    HandMade acquire(long at, long token, long due, int failures, int expiries) {
        return add(
                at + 2,
                new Event.Acquired(
                        queue,
                        shard,
                        id,
                        token,
                        due,
                        failures,
                        expiries,
                        (at + 1 + redisAheadMillis) * 1000 + microsWithin,
                        LEASE,
                        at * 1000));
    }

    /** Found by an acquire that takes 2 ms, and deleted, as it is too late. */
    HandMade expire(long at) {
        return add(at + 2, new Event.Dropped(queue, 0, id, "expired", (at + 1) * 1000));
    }

    /**
     * Adds an attempt after this number of failures: acquired, published, and given up without a reply of the broker,
     * all within 10 ms.
     */
    HandMade unanswered(long at, long token, int failures, long due) {
        return acquire(at, token, due, failures, 0).settle(at + 6, token, Ending.RETRY, true, true);
    }

    HandMade renew(long at, long token, boolean accepted) {
        return add(at, new Event.Renewed(queue, 0, id, token, LEASE, accepted));
    }

    HandMade start(long at, String version, long token, int attempt, long due) {
        return add(at, new Event.Started(queue, id, version, token, attempt, due, (at + redisAheadMillis) * 1000));
    }

    HandMade fence(long at, String version, long token, @Nullable Long refusedBy) {
        return add(at, new Event.Fenced(queue, id, version, token, refusedBy));
    }

    HandMade end(long at, String version, long token, End how) {
        return add(at, new Event.Ended(queue, id, version, token, how, false));
    }

    HandMade arrive(long at, String version, long token, long due, boolean redelivered) {
        return add(at, new Event.Arrived(queue, id, version, token, 1, due, at * 1000, redelivered));
    }

    HandMade settle(long at, long token, Ending ending, boolean uncertain, @Nullable Boolean accepted) {
        long settling = ++numbers;
        Long delay = (ending == Ending.RETRY) ? RETRY_DELAY : null;
        add(at, new Event.Settling(settling, queue, 0, id, token, ending, uncertain, delay));
        return add(at + 2, new Event.Settled(settling, accepted));
    }

    /** Acquired, handled well and settled, all within 10 ms. */
    HandMade deliver(long at, String version, long token, long due) {
        return deliverAgain(at, version, token, 1, due);
    }

    /** Adds a later attempt, before which all earlier leases expired. */
    HandMade deliverAgain(long at, String version, long token, int attempt, long due) {
        return acquire(at, token, due, attempt - 1)
                .start(at + 4, version, token, attempt, due)
                .end(at + 5, version, token, End.OK)
                .settle(at + 6, token, Ending.ACK, false, true);
    }

    /** Acquired, failed and settled, all within 10 ms. */
    HandMade fail(long at, String version, long token, int attempt, long due) {
        return acquire(at, token, due)
                .start(at + 4, version, token, attempt, due)
                .end(at + 5, version, token, End.FAILED)
                .settle(at + 6, token, Ending.RETRY, false, true);
    }

    HandMade change(long at, String name, Change change) {
        return add(at, new Event.Changed(name, change));
    }

    HandMade fault(long at, boolean begins) {
        return add(at, new Event.Fault("cell", "fault", begins));
    }

    HandMade dead(String version, int failures, int expiries, String reason) {
        end = new FinalState(
                end.live(),
                List.of(new FinalState.Dead(queue, 0, id, version, failures, expiries, reason)),
                end.others());
        return this;
    }

    HandMade live(String version) {
        end = new FinalState(List.of(new FinalState.Live(queue, 0, id, version)), end.dead(), end.others());
        return this;
    }

    HandMade left(String key) {
        end = new FinalState(end.live(), end.dead(), List.of(key));
        return this;
    }

    private HandMade add(long at, Event event) {
        entries.add(new Entry(process, entries.size(), at * 1000, at, event));
        return this;
    }

    Verdict verdict() {
        List<Entry> inOrder = new ArrayList<>(entries);
        inOrder.sort(Comparator.comparingLong(Entry::micros));
        return new Checker(settings).check(inOrder, end);
    }
}
