// SPDX-License-Identifier: Apache-2.0
/** Delayed tasks in one transaction with a database. */
@NullMarked
package io.delayqueue.jdbc;

import org.jspecify.annotations.NullMarked;
