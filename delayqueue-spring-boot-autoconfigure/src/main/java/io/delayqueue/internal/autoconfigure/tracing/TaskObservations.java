// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.autoconfigure.tracing;

import io.micrometer.observation.ObservationRegistry;

/**
 * The registry to which the library reports observations.
 *
 * @param registry the application's registry; if the application has only meters, a registry that only measures
 */
public record TaskObservations(ObservationRegistry registry) {}
