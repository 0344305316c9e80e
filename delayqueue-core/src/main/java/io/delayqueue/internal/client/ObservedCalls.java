// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.client;

import io.delayqueue.BatchFailedException;
import io.delayqueue.CancelOutcome;
import io.delayqueue.GroupPartlyChangedException;
import io.delayqueue.GroupResult;
import io.delayqueue.ScheduleObservationContext;
import io.delayqueue.ScheduleResult;
import io.delayqueue.internal.concurrent.Causes;
import io.delayqueue.internal.concurrent.Guard;
import io.delayqueue.internal.observation.ContextKeys;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Starts an observation for each call. Its scope is open during the call, and it stops with the reply. Exceptions thrown
 * by observers are logged and otherwise ignored.
 */
record ObservedCalls(ObservationRegistry registry, Set<String> queues) {

    /** Starts no observations. */
    static final ObservedCalls NONE = new ObservedCalls(ObservationRegistry.NOOP, Set.of());

    private static final Call UNOBSERVED =
            new Call(new ScheduleObservationContext("", "", null), Observation.NOOP, Observation.Scope.NOOP);

    private static final Logger log = LoggerFactory.getLogger(ObservedCalls.class);
    private static final String FAILED = "An observer failed; continuing with the call";

    /** @param queue null for several queues */
    Call start(String operation, @Nullable String queue, @Nullable String id) {
        if (registry.isNoop()) {
            return UNOBSERVED;
        }
        ScheduleObservationContext context = new ScheduleObservationContext(operation, nameOf(queue), id);
        Observation observation = Guard.or(
                log,
                FAILED,
                Observation.NOOP,
                () -> Observation.start(null, ScheduleNames.DEFAULT, () -> context, registry));
        Observation.Scope scope = Guard.or(log, FAILED, Observation.Scope.NOOP, observation::openScope);
        return new Call(context, observation, scope);
    }

    /** Returns the outcome of an answer; null if it has several different ones. */
    static @Nullable Enum<?> outcome(@Nullable Object answer) {
        if (answer instanceof List<?> all) {
            return common(all, ObservedCalls::outcome);
        }
        if (answer instanceof Map<?, ?> byId) {
            return common(byId.values(), ObservedCalls::outcome);
        }
        if (answer instanceof GroupResult group) {
            return group.isDeferred() ? CancelOutcome.DEFERRED : null;
        }
        return answer instanceof ScheduleResult scheduled ? scheduled.outcome() : (Enum<?>) answer;
    }

    /** Returns the value that all lines share; null if values differ or a line has none. */
    static <L, V> @Nullable V common(Collection<? extends L> lines, Function<L, @Nullable V> value) {
        Set<@Nullable V> distinct = new HashSet<>();
        lines.forEach(line -> distinct.add(value.apply(line)));
        return distinct.size() == 1 ? distinct.iterator().next() : null;
    }

    /**
     * Returns the error to report. If a call for many tasks failed for some of them, returns the Redis error, so that
     * one alert covers all calls.
     */
    private static Throwable reason(Throwable error) {
        Throwable cause = error.getCause();
        boolean ofMany = error instanceof BatchFailedException || error instanceof GroupPartlyChangedException;
        return (ofMany && cause != null) ? cause : error;
    }

    /** Returns the name of a configured queue. Returns "unknown" for any other string that a caller passes. */
    private String nameOf(@Nullable String queue) {
        if (queue == null) {
            return "several";
        }
        return queues.contains(queue) ? queue : "unknown";
    }

    /** A call that must end with {@link #answered} or {@link #failed}. */
    record Call(ScheduleObservationContext context, Observation observation, Observation.Scope scope) {

        /** Returns the headers that observers add to a scheduled task. */
        Map<String, String> added() {
            return Objects.requireNonNull(context.getCarrier());
        }

        /** Ends the call and returns its answer. If this is a stage, the observation stops with the stage. */
        <A> A answered(A answer) {
            if (observation.isNoop()) {
                return answer;
            }
            Guard.run(log, FAILED, scope::close);
            if (answer instanceof CompletableFuture<?> stage) {
                stage.whenComplete(this::stop);
            } else {
                stop(answer, null);
            }
            return answer;
        }

        void failed(Throwable error) {
            Guard.run(log, FAILED, scope::close);
            stop(null, error);
        }

        private void stop(@Nullable Object answer, @Nullable Throwable error) {
            if (observation.isNoop()) {
                return;
            }
            Enum<?> outcome = outcome(answer);
            context.put(
                    ContextKeys.OUTCOME,
                    (error != null)
                            ? "error"
                            : (outcome == null) ? "mixed" : outcome.name().toLowerCase(Locale.ROOT));
            Guard.run(log, FAILED, () -> {
                if (error != null) {
                    observation.error(reason(Causes.of(error)));
                }
            });
            Guard.run(log, FAILED, observation::stop);
        }
    }
}
