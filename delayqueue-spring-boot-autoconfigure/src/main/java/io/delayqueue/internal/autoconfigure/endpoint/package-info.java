// SPDX-License-Identifier: Apache-2.0
/** The actuator endpoint {@code delayqueue}, over HTTP and JMX, and where its audit entries go. */
@NullMarked
package io.delayqueue.internal.autoconfigure.endpoint;

import org.jspecify.annotations.NullMarked;
