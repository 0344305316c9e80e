// SPDX-License-Identifier: Apache-2.0
/** Discards duplicates in the consumer's transaction. */
@NullMarked
package io.delayqueue.internal.jdbc.inbox;

import org.jspecify.annotations.NullMarked;
