// SPDX-License-Identifier: Apache-2.0
/** Sends operations from the table to Redis. */
@NullMarked
package io.delayqueue.internal.jdbc.relay;

import org.jspecify.annotations.NullMarked;
