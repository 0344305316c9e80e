// SPDX-License-Identifier: Apache-2.0
/** Compares a queue with the tasks that the application's database expects in it. */
@NullMarked
package io.delayqueue.internal.jdbc.reconcile;

import org.jspecify.annotations.NullMarked;
