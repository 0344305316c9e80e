// SPDX-License-Identifier: Apache-2.0
/** Delayed tasks as part of database transactions. */
@NullMarked
package io.delayqueue.jdbc;

import org.jspecify.annotations.NullMarked;
