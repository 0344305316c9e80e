// SPDX-License-Identifier: Apache-2.0
/** The actuator endpoint {@code delayqueue} and its audit entries. */
@NullMarked
package io.delayqueue.internal.autoconfigure.endpoint;

import org.jspecify.annotations.NullMarked;
