// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.rabbit;

import io.delayqueue.DelayQueueException;
import io.delayqueue.delivery.Delivery;
import io.delayqueue.delivery.TaskContent;
import io.delayqueue.internal.concurrent.Guard;
import io.micrometer.observation.Observation;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A delivery whose first outcome ends its observation, also where the engine has ended the delivery before. Its content has
 * the headers that observers added, such as those of the trace in which it is published.
 */
final class ObservedDelivery implements Delivery {

    private static final Logger log = LoggerFactory.getLogger(ObservedDelivery.class);

    private static final String OBSERVER_FAILED = "An observer failed; the delivery has ended all the same";
    private static final String FAILED = "failed";
    private static final String DEAD = "dead";
    private static final String POSTPONED = "postponed";
    /** What a stop breaks off is due again, and no failure is counted. */
    private static final String BROKEN_OFF = POSTPONED;

    private final Delivery delivery;
    private final PublishObservationContext context;
    private final Observation observation;
    private final TaskContent content;
    private final AtomicBoolean ending = new AtomicBoolean();

    ObservedDelivery(Delivery delivery, PublishObservationContext context, Observation observation) {
        this.delivery = delivery;
        this.context = context;
        this.observation = observation;
        this.content = withHeaders(delivery.content(), context.getCarrier());
    }

    private static TaskContent withHeaders(TaskContent content, @Nullable Map<String, String> added) {
        if (added == null || added.isEmpty()) {
            return content;
        }
        Map<String, String> headers = new LinkedHashMap<>(content.headers());
        headers.putAll(added);
        return new TaskContent(content.contentType(), headers, content.payload());
    }

    /** What has no outcome yet is failed by the engine, as the destination threw. */
    void endBy(Throwable thrown) {
        if (ending.compareAndSet(false, true)) {
            stop(delivery.isEnded() ? BROKEN_OFF : delivery.isLastAttempt() ? DEAD : FAILED, thrown);
        }
    }

    /** Ends the observation if the engine has ended the delivery, so that no outcome of it counts any more. */
    void endIfBrokenOff() {
        if (delivery.isEnded() && ending.compareAndSet(false, true)) {
            stop(BROKEN_OFF, brokenOff());
        }
    }

    /** The first call ends it, whether or not its outcome counts. */
    private boolean ended(String outcome, @Nullable String problem, BooleanSupplier call) {
        boolean first = ending.compareAndSet(false, true);
        boolean counts = false;
        try {
            counts = call.getAsBoolean();
        } finally {
            if (first && counts) {
                stop(outcome, problem == null ? null : new DelayQueueException(problem));
            } else if (first) {
                stop(BROKEN_OFF, brokenOff());
            }
        }
        return counts;
    }

    private static DelayQueueException brokenOff() {
        return new DelayQueueException("the delivery was broken off before it had an outcome");
    }

    private void stop(String outcome, @Nullable Throwable problem) {
        context.setOutcome(delivery.isDead() ? DEAD : outcome);
        if (problem != null) {
            Guard.run(log, OBSERVER_FAILED, () -> observation.error(problem));
        }
        Guard.run(log, OBSERVER_FAILED, observation::stop);
    }

    @Override
    public String queue() {
        return delivery.queue();
    }

    @Override
    public int shard() {
        return delivery.shard();
    }

    @Override
    public String id() {
        return delivery.id();
    }

    @Override
    public String taskKey() {
        return delivery.taskKey();
    }

    @Override
    public Instant dueAt() {
        return delivery.dueAt();
    }

    @Override
    public Duration lateness() {
        return delivery.lateness();
    }

    @Override
    public int attempt() {
        return delivery.attempt();
    }

    @Override
    public boolean isLastAttempt() {
        return delivery.isLastAttempt();
    }

    @Override
    public TaskContent content() {
        return content;
    }

    @Override
    public long token() {
        return delivery.token();
    }

    @Override
    public Duration leaseRemaining() {
        return delivery.leaseRemaining();
    }

    @Override
    public boolean isLeaseLost() {
        return delivery.isLeaseLost();
    }

    @Override
    public boolean isSuspect() {
        return delivery.isSuspect();
    }

    @Override
    public boolean extendLease(Duration atLeast) {
        return delivery.extendLease(atLeast);
    }

    @Override
    public boolean begin() {
        return delivery.begin();
    }

    @Override
    public boolean isEnded() {
        return delivery.isEnded();
    }

    @Override
    public boolean isDead() {
        return delivery.isDead();
    }

    @Override
    public boolean isInterrupted() {
        return delivery.isInterrupted();
    }

    @Override
    public void again(Duration after) {
        delivery.again(after);
    }

    @Override
    public boolean acknowledge() {
        return ended("delivered", null, delivery::acknowledge);
    }

    @Override
    public boolean fail(String reason, boolean uncertain) {
        return ended(FAILED, reason, () -> delivery.fail(reason, uncertain));
    }

    @Override
    public boolean postpone(String reason, boolean uncertain) {
        return ended(POSTPONED, reason, () -> delivery.postpone(reason, uncertain));
    }

    @Override
    public boolean postpone(String reason, Duration delay, boolean uncertain) {
        return ended(POSTPONED, reason, () -> delivery.postpone(reason, delay, uncertain));
    }

    @Override
    public boolean failUntil(String reason, Duration delay, boolean uncertain) {
        return ended(FAILED, reason, () -> delivery.failUntil(reason, delay, uncertain));
    }

    @Override
    public boolean reject(String reason, boolean uncertain) {
        return ended(DEAD, reason, () -> delivery.reject(reason, uncertain));
    }

    @Override
    public boolean release() {
        return ended("released", null, delivery::release);
    }

    @Override
    public boolean breakOff(String reason) {
        return ended(POSTPONED, reason, () -> delivery.breakOff(reason));
    }

    @Override
    public String toString() {
        return delivery.toString();
    }
}
