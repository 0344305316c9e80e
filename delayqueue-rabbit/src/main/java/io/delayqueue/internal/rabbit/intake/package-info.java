// SPDX-License-Identifier: Apache-2.0
/** Consumes queues of the broker and stores their messages as tasks, which are published when they are due. */
@NullMarked
package io.delayqueue.internal.rabbit.intake;

import org.jspecify.annotations.NullMarked;
