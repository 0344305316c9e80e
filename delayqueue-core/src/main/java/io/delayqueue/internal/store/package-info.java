// SPDX-License-Identifier: Apache-2.0
/** Keeps tasks in Redis: one method for each script, and the records and formats that it takes and gives. */
@NullMarked
package io.delayqueue.internal.store;

import org.jspecify.annotations.NullMarked;
