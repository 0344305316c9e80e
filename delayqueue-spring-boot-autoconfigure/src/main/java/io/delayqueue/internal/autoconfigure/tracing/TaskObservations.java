// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.autoconfigure.tracing;

import io.micrometer.observation.ObservationRegistry;

/**
 * Where the library observes.
 *
 * @param registry the application's, or one that only measures where it has none but meters
 */
public record TaskObservations(ObservationRegistry registry) {}
