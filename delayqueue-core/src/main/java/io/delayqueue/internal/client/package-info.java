// SPDX-License-Identifier: Apache-2.0
/** The operations of applications over the task store, and the batching of their calls. */
@NullMarked
package io.delayqueue.internal.client;

import org.jspecify.annotations.NullMarked;
