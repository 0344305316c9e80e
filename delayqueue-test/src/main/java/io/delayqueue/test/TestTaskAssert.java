// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.test;

import io.delayqueue.EncodedPayload;
import io.delayqueue.FoundTask;
import io.delayqueue.TaskState;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import org.assertj.core.api.AbstractAssert;

/** Assertions about a task at the time when it was found. The payload is decoded on demand. */
public final class TestTaskAssert extends AbstractAssert<TestTaskAssert, FoundTask<EncodedPayload>> {

    private final TestQueue queue;

    TestTaskAssert(TestQueue queue, FoundTask<EncodedPayload> actual) {
        super(actual, TestTaskAssert.class);
        this.queue = queue;
    }

    /**
     * Verifies that the task is waiting and is due, or will be retried, after exactly this delay by the queues' clock.
     * Tasks in progress and dead tasks are not due.
     *
     * @param delay the delay, in whole milliseconds
     */
    public TestTaskAssert dueIn(Duration delay) {
        Instant now = queue.now();
        waits("in " + delay);
        Duration left = Duration.between(now, actual.nextAttentionAt());
        if (!left.equals(delay)) {
            failWithMessage(
                    "Expected task '%s' of %s to be due in %s, but it is due in %s, at %s. The queues' "
                            + "clock is at %s.",
                    actual.id(), queue, delay, left, actual.nextAttentionAt(), now);
        }
        return this;
    }

    /**
     * Verifies that the task is waiting, and that its due time or its next retry is exactly {@code moment}. Tasks in
     * progress and dead tasks are not due.
     */
    public TestTaskAssert dueAt(Instant moment) {
        waits("at " + moment);
        if (!actual.nextAttentionAt().equals(moment)) {
            failWithMessage(
                    "Expected task '%s' of %s to be due at %s, but it is due at %s",
                    actual.id(), queue, moment, actual.nextAttentionAt());
        }
        return this;
    }

    /**
     * Verifies that the payload, decoded to the type of the expected object, equals that object. Elements of a list, a
     * set or a map are decoded to the default types for JSON.
     */
    public TestTaskAssert withPayload(Object expected) {
        Object payload = payload(readAs(expected));
        if (!Objects.deepEquals(payload, expected)) {
            failWithActualExpectedAndMessage(
                    payload,
                    expected,
                    "Expected task '%s' of %s to have the payload%n  %s%nbut it has%n  %s",
                    actual.id(),
                    queue,
                    expected,
                    payload);
        }
        return this;
    }

    /** Decodes the payload to this type and verifies it against the given requirements. */
    public <T> TestTaskAssert withPayloadSatisfying(Class<T> type, Consumer<? super T> requirements) {
        requirements.accept(payload(type));
        return this;
    }

    /** Verifies that the task has this header with this value. */
    public TestTaskAssert withHeader(String name, String value) {
        if (!value.equals(actual.headers().get(name))) {
            failWithMessage(
                    "Expected task '%s' of %s to have the header %s=%s, but its headers are %s",
                    actual.id(), queue, name, value, actual.headers());
        }
        return this;
    }

    /** Verifies the number of failed attempts since the task was scheduled or redriven. */
    public TestTaskAssert withFailures(int expected) {
        if (actual.failures() != expected) {
            failWithMessage(
                    "Expected task '%s' of %s to have failed %s time(s), but it has failed %s time(s), " + "last: %s",
                    actual.id(),
                    queue,
                    expected,
                    actual.failures(),
                    actual.lastReason().orElse("-"));
        }
        return this;
    }

    /** Verifies that the reason of the last failed attempt, or of the death, contains this text. */
    public TestTaskAssert withReasonContaining(String part) {
        if (!actual.lastReason().orElse("").contains(part)) {
            failWithMessage(
                    "Expected the reason of task '%s' of %s to contain '%s', but it is '%s'",
                    actual.id(), queue, part, actual.lastReason().orElse(""));
        }
        return this;
    }

    /** Verifies that the task is in progress. */
    public TestTaskAssert isUnderDelivery() {
        if (actual.state() != TaskState.LEASED) {
            failWithMessage(
                    "Expected task '%s' of %s to be in progress, but it is %s", actual.id(), queue, actual.state());
        }
        return this;
    }

    /** Verifies that the task is waiting. For other tasks, the next time is the end of a lease or the time of death. */
    private void waits(String expected) {
        switch (actual.state()) {
            case SCHEDULED -> {}
            case LEASED ->
                failWithMessage(
                        "Expected task '%s' of %s to be due %s, but it is in progress", actual.id(), queue, expected);
            case DEAD ->
                failWithMessage(
                        "Expected task '%s' of %s to be due %s, but it is dead since %s",
                        actual.id(), queue, expected, actual.nextAttentionAt());
        }
    }

    private <T> T payload(Class<T> type) {
        return queue.find(actual.id(), type)
                .orElseThrow(() -> new AssertionError("Task '" + actual.id() + "' of " + queue + " no longer exists"))
                .payload();
    }

    private static Class<?> readAs(Object expected) {
        if (expected instanceof Map) {
            return Map.class;
        }
        if (expected instanceof Set) {
            return Set.class;
        }
        return expected instanceof Collection ? List.class : expected.getClass();
    }
}
