// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.rabbit;

import io.delayqueue.DelayQueueException;
import io.delayqueue.delivery.Delivery;
import io.delayqueue.delivery.TaskContent;
import io.delayqueue.internal.concurrent.Seam;
import io.micrometer.observation.Observation;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A delivery whose first outcome ends its observation. Its content has the headers that observers added, such as those of
 * the trace in which it is published.
 */
final class ObservedDelivery implements Delivery {

    private static final Logger log = LoggerFactory.getLogger(ObservedDelivery.class);

    private final Delivery delivery;
    private final PublishObservationContext context;
    private final Observation observation;
    private final TaskContent content;

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
        return new TaskContent(content.contentType(), headers, content.payload(), content.shardKey());
    }

    /** Only an outcome that counts ends it. */
    private boolean ended(String outcome, @Nullable String problem, boolean first) {
        if (first) {
            Seam.run(log, "An observer failed; the delivery has ended all the same", () -> {
                context.setOutcome(outcome);
                if (problem != null) {
                    observation.error(new DelayQueueException(problem));
                }
                observation.stop();
            });
        }
        return first;
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
    public boolean isInterrupted() {
        return delivery.isInterrupted();
    }

    @Override
    public void again(Duration after) {
        delivery.again(after);
    }

    @Override
    public boolean acknowledge() {
        return ended("delivered", null, delivery.acknowledge());
    }

    @Override
    public boolean fail(String reason, boolean uncertain) {
        return ended("failed", reason, delivery.fail(reason, uncertain));
    }

    @Override
    public boolean postpone(String reason, boolean uncertain) {
        return ended("postponed", reason, delivery.postpone(reason, uncertain));
    }

    @Override
    public boolean postpone(String reason, Duration delay, boolean uncertain) {
        return ended("postponed", reason, delivery.postpone(reason, delay, uncertain));
    }

    @Override
    public boolean failUntil(String reason, Duration delay, boolean uncertain) {
        return ended("failed", reason, delivery.failUntil(reason, delay, uncertain));
    }

    @Override
    public boolean reject(String reason, boolean uncertain) {
        return ended("dead", reason, delivery.reject(reason, uncertain));
    }

    @Override
    public boolean release() {
        return ended("released", null, delivery.release());
    }

    @Override
    public boolean breakOff(String reason) {
        return ended("postponed", reason, delivery.breakOff(reason));
    }

    @Override
    public String toString() {
        return delivery.toString();
    }
}
