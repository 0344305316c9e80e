// SPDX-License-Identifier: Apache-2.0
/** The tables: their scripts, their names and the check of their version. */
@NullMarked
package io.delayqueue.internal.jdbc.schema;

import org.jspecify.annotations.NullMarked;
