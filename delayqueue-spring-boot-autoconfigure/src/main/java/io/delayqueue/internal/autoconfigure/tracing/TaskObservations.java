// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.autoconfigure.tracing;

import io.micrometer.observation.ObservationRegistry;

/**
 * The registry to which the library reports observations.
 *
 * @param registry the application's registry, or a registry that only measures if the application has only meters
 */
public record TaskObservations(ObservationRegistry registry) {}
