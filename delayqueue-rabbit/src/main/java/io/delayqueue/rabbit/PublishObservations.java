// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.rabbit;

import io.micrometer.observation.ObservationRegistry;
import org.jspecify.annotations.Nullable;

/**
 * Where deliveries to RabbitMQ are observed.
 *
 * @param registry knows the observers
 * @param convention names and tags; null for the default
 */
public record PublishObservations(
        ObservationRegistry registry, @Nullable PublishObservationConvention convention) {}
