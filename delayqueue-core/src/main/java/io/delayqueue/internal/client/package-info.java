// SPDX-License-Identifier: Apache-2.0
/** Implements the operations that applications call, and batches their calls to the task store. */
@NullMarked
package io.delayqueue.internal.client;

import org.jspecify.annotations.NullMarked;
