// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.client;

import io.delayqueue.BatchFailedException;
import io.delayqueue.GroupPartlyChangedException;
import io.delayqueue.ScheduleObservationContext;
import io.delayqueue.internal.concurrent.Causes;
import io.delayqueue.internal.concurrent.Guard;
import io.delayqueue.internal.observation.ContextKeys;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import java.util.Collection;
import java.util.HashSet;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes calls within observations. The scope of the observation is open during the call, and the observation stops with
 * the reply. Exceptions thrown by observers are logged and otherwise ignored.
 */
record ObservedCalls(ObservationRegistry registry, Set<String> queues, AddedHeaders added) {

    private static final Logger log = LoggerFactory.getLogger(ObservedCalls.class);
    private static final String FAILED = "An observer failed; continuing with the call";

    /** @param queue null for several queues */
    <T> T observe(
            String operation,
            @Nullable String queue,
            @Nullable String id,
            Supplier<T> call,
            Function<T, @Nullable Enum<?>> outcome) {
        Started started = start(operation, queue, id);
        try {
            T answer = started.make(call);
            started.end(outcome.apply(answer), null);
            return answer;
        } catch (Throwable ex) {
            started.end(null, ex);
            throw ex;
        }
    }

    <T> CompletableFuture<T> observeStage(
            String operation,
            @Nullable String queue,
            @Nullable String id,
            Supplier<CompletableFuture<T>> call,
            Function<T, @Nullable Enum<?>> outcome) {
        Started started = start(operation, queue, id);
        try {
            CompletableFuture<T> stage = started.make(call);
            stage.whenComplete((answer, error) -> started.end(
                    (answer == null) ? null : outcome.apply(answer), (error == null) ? null : Causes.of(error)));
            return stage;
        } catch (Throwable ex) {
            started.end(null, ex);
            throw ex;
        }
    }

    /** Returns the value that all lines share; null if values differ or a line has none. */
    static <L, V> @Nullable V common(Collection<L> lines, Function<L, @Nullable V> value) {
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

    private Started start(String operation, @Nullable String queue, @Nullable String id) {
        ScheduleObservationContext context = new ScheduleObservationContext(operation, nameOf(queue), id);
        Observation observation = Guard.or(
                log,
                FAILED,
                Observation.NOOP,
                () -> Observation.start(null, ScheduleNames.DEFAULT, () -> context, registry));
        return new Started(context, observation);
    }

    private final class Started {

        private final ScheduleObservationContext context;
        private final Observation observation;

        Started(ScheduleObservationContext context, Observation observation) {
            this.context = context;
            this.observation = observation;
        }

        <T> T make(Supplier<T> call) {
            Observation.Scope scope = Guard.or(log, FAILED, Observation.Scope.NOOP, observation::openScope);
            try {
                return added.during(Objects.requireNonNull(context.getCarrier()), call);
            } finally {
                Guard.run(log, FAILED, scope::close);
            }
        }

        void end(@Nullable Enum<?> outcome, @Nullable Throwable error) {
            context.put(
                    ContextKeys.OUTCOME,
                    (error != null)
                            ? "error"
                            : (outcome == null) ? "mixed" : outcome.name().toLowerCase(Locale.ROOT));
            Guard.run(log, FAILED, () -> {
                if (error != null) {
                    observation.error(reason(error));
                }
            });
            Guard.run(log, FAILED, observation::stop);
        }
    }
}
