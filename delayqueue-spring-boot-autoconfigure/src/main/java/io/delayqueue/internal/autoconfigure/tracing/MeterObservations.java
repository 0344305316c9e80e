// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.internal.autoconfigure.tracing;

import io.micrometer.observation.ObservationRegistry;

/** Measures what is observed, for applications that have meters and no registry of observations. */
@FunctionalInterface
public interface MeterObservations {

    ObservationRegistry registry();
}
