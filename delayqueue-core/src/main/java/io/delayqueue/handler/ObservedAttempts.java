// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.handler;

import io.delayqueue.delivery.Delivery;
import io.delayqueue.internal.concurrent.Guard;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes attempts inside an observation, which is current from before the handler is called until its work has ended and a
 * failure was logged. What its observers throw is logged, and changes nothing.
 */
final class ObservedAttempts {

    private static final Logger log = LoggerFactory.getLogger(ObservedAttempts.class);
    private static final String FAILED = "An observer failed; the task is handled all the same";

    private final ObservationRegistry registry;
    private final @Nullable HandleObservationConvention convention;

    /** @param convention names and tags; null for the default */
    ObservedAttempts(ObservationRegistry registry, @Nullable HandleObservationConvention convention) {
        this.registry = registry;
        this.convention = convention;
    }

    /**
     * Makes an attempt on the calling thread.
     *
     * @param attempt returns what it failed with; null if it did not fail
     * @return the same
     */
    @Nullable
    Throwable observe(Delivery delivery, Function<Delivery, @Nullable Throwable> attempt) {
        if (registry.isNoop()) {
            return attempt.apply(delivery);
        }
        Observation observation = or(Observation.NOOP, () -> start(delivery));
        Observation.Scope scope = or(Observation.Scope.NOOP, observation::openScope);
        Throwable error = null;
        try {
            error = attempt.apply(delivery);
            return error;
        } catch (Throwable ex) {
            error = ex;
            throw ex;
        } finally {
            Guard.run(log, FAILED, scope::close);
            end(observation, error);
        }
    }

    private Observation start(Delivery delivery) {
        return Observation.start(
                convention,
                HandleObservationConvention.DEFAULT,
                () -> new HandleObservationContext(delivery),
                registry);
    }

    private static <T> T or(T otherwise, Supplier<T> observing) {
        try {
            return observing.get();
        } catch (Throwable ex) {
            Guard.tell(() -> log.error(FAILED, ex));
            return otherwise;
        }
    }

    private static void end(Observation observation, @Nullable Throwable error) {
        Guard.run(log, FAILED, () -> {
            if (error != null) {
                observation.error(error);
            }
        });
        Guard.run(log, FAILED, observation::stop);
    }
}
