// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.autoconfigure.tracing;

import io.micrometer.observation.ObservationRegistry;

/** Measures observations in applications that have meters but no observation registry. */
@FunctionalInterface
public interface MeterObservations {

    ObservationRegistry registry();
}
