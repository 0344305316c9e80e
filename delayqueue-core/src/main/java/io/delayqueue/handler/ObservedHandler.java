// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.handler;

import io.delayqueue.delivery.Delivery;
import io.delayqueue.internal.concurrent.Seam;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Handles inside an observation, which is current while the handler is called and ends when its work does. What its
 * observers throw is logged, and changes nothing.
 */
final class ObservedHandler implements DeliveryHandler {

    private static final Logger log = LoggerFactory.getLogger(ObservedHandler.class);
    private static final String FAILED = "An observer failed; the task is handled all the same";

    private final DeliveryHandler handler;
    private final ObservationRegistry registry;

    ObservedHandler(DeliveryHandler handler, ObservationRegistry registry) {
        this.handler = handler;
        this.registry = registry;
    }

    @Override
    public @Nullable CompletionStage<?> handle(Delivery delivery) throws Exception {
        Observation observation = or(Observation.NOOP, () -> start(delivery));
        Observation.Scope scope = or(Observation.Scope.NOOP, observation::openScope);
        CompletionStage<?> completion;
        try {
            completion = handler.handle(delivery);
        } catch (Throwable ex) {
            close(scope);
            end(observation, ex);
            throw ex;
        }
        close(scope);
        if (completion == null) {
            end(observation, null);
            return null;
        }
        return observed(completion, observation);
    }

    private static CompletionStage<?> observed(CompletionStage<?> completion, Observation observation) {
        CompletableFuture<?> observed = completion
                .whenComplete((value, error) -> end(observation, error))
                .toCompletableFuture();
        observed.whenComplete((value, error) -> {
            if (observed.isCancelled()) {
                completion.toCompletableFuture().cancel(true);
            }
        });
        return observed;
    }

    private Observation start(Delivery delivery) {
        return Observation.createNotStarted("delayqueue.handle", registry)
                .lowCardinalityKeyValue("delayqueue.queue", delivery.queue())
                .highCardinalityKeyValue("delayqueue.task", delivery.id())
                .start();
    }

    private static <T> T or(T otherwise, Supplier<T> observing) {
        try {
            return observing.get();
        } catch (Throwable ex) {
            Seam.tell(() -> log.error(FAILED, ex));
            return otherwise;
        }
    }

    private static void close(Observation.Scope scope) {
        Seam.run(log, FAILED, scope::close);
    }

    private static void end(Observation observation, @Nullable Throwable error) {
        Seam.run(log, FAILED, () -> {
            if (error != null) {
                observation.error(error);
            }
        });
        Seam.run(log, FAILED, observation::stop);
    }
}
