// SPDX-License-Identifier: Apache-2.0
/** Implementations of the operations that applications call. */
@NullMarked
package io.delayqueue.client;

import org.jspecify.annotations.NullMarked;
