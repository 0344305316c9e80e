// SPDX-License-Identifier: Apache-2.0
/** The console in an application with WebFlux. */
@NullMarked
package io.delayqueue.internal.console.webflux;

import org.jspecify.annotations.NullMarked;
