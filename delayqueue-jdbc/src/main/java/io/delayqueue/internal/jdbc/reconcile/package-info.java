// SPDX-License-Identifier: Apache-2.0
/** Compares a queue with what the application's database says should be in it. */
@NullMarked
package io.delayqueue.internal.jdbc.reconcile;

import org.jspecify.annotations.NullMarked;
