// SPDX-License-Identifier: Apache-2.0
/** Stores tasks in Redis: one method per script, and the records and formats of arguments and replies. */
@NullMarked
package io.delayqueue.internal.store;

import org.jspecify.annotations.NullMarked;
