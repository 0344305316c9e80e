// SPDX-License-Identifier: Apache-2.0
/** Consumes queues of the broker, stores their messages as tasks, and publishes them when they are due. */
@NullMarked
package io.delayqueue.internal.rabbit.intake;

import org.jspecify.annotations.NullMarked;
