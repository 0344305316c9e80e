// SPDX-License-Identifier: Apache-2.0
/** The table of operations that have not reached Redis yet, and what writes into it. */
@NullMarked
package io.delayqueue.internal.jdbc.outbox;

import org.jspecify.annotations.NullMarked;
