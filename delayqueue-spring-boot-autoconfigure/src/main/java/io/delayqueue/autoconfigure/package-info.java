// SPDX-License-Identifier: Apache-2.0
/** Auto-configuration: what makes a queue under {@code delayqueue.queues} work with nothing but properties. */
@NullMarked
package io.delayqueue.autoconfigure;

import org.jspecify.annotations.NullMarked;
