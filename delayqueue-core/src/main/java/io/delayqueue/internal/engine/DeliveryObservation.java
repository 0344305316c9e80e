// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.engine;

import io.delayqueue.DelayQueueException;
import io.delayqueue.TaskContent;
import io.delayqueue.delivery.Outcome;
import io.delayqueue.internal.concurrent.Guard;
import io.delayqueue.internal.observation.ContextKeys;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationConvention;
import io.micrometer.observation.ObservationRegistry;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The observation of one delivery. Logs exceptions thrown by observers; the delivery continues.
 *
 * @param headers the headers that observers add to the task
 */
public record DeliveryObservation(Observation observation, Map<String, String> headers) {

    /** Observes nothing. */
    public static final DeliveryObservation NONE = new DeliveryObservation(Observation.NOOP, Map.of());

    private static final Logger log = LoggerFactory.getLogger(DeliveryObservation.class);
    private static final String FAILED = "An observer failed; the delivery continues";

    /**
     * Starts an observation.
     *
     * @param standard names and tags, unless the registry has a convention for the context
     * @param headers receives the headers that observers add to the task
     */
    public static <T extends Observation.Context> DeliveryObservation start(
            ObservationRegistry registry,
            ObservationConvention<T> standard,
            Supplier<T> context,
            Map<String, String> headers) {
        if (registry.isNoop()) {
            return NONE;
        }
        Observation started =
                Guard.or(log, FAILED, Observation.NOOP, () -> Observation.start(null, standard, context, registry));
        return started.isNoop() ? NONE : new DeliveryObservation(started, headers);
    }

    /**
     * Runs an attempt on the calling thread, inside the scope of the observation, and then stops the observation.
     *
     * @param attempt returns the error, or {@code null}
     * @return the error, or {@code null}
     */
    public @Nullable Throwable around(Supplier<@Nullable Throwable> attempt) {
        Observation.Scope scope = Guard.or(log, FAILED, Observation.Scope.NOOP, observation::openScope);
        Throwable error = null;
        try {
            error = attempt.get();
            return error;
        } catch (Throwable ex) {
            error = ex;
            throw ex;
        } finally {
            Guard.run(log, FAILED, scope::close);
            stop(error);
        }
    }

    void ended(Outcome.Kind outcome, @Nullable String problem) {
        if (this != NONE) {
            observation.getContext().put(ContextKeys.OUTCOME, outcome.name().toLowerCase(Locale.ROOT));
            stop(problem == null ? null : new DelayQueueException(problem));
        }
    }

    private void stop(@Nullable Throwable error) {
        if (error != null) {
            Guard.run(log, FAILED, () -> observation.error(error));
        }
        Guard.run(log, FAILED, observation::stop);
    }

    /** Returns the content with the headers that observers added. */
    TaskContent addTo(TaskContent content) {
        if (headers.isEmpty()) {
            return content;
        }
        Map<String, String> all = new LinkedHashMap<>(content.headers());
        all.putAll(headers);
        return new TaskContent(content.contentType(), all, content.payload());
    }
}
