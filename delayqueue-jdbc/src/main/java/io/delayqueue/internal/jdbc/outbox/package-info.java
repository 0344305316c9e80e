// SPDX-License-Identifier: Apache-2.0
/** The table of operations that have not reached Redis, and the writer for it. */
@NullMarked
package io.delayqueue.internal.jdbc.outbox;

import org.jspecify.annotations.NullMarked;
