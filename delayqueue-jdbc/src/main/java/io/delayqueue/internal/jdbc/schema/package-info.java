// SPDX-License-Identifier: Apache-2.0
/** The scripts and names of the tables, and the check of their version. */
@NullMarked
package io.delayqueue.internal.jdbc.schema;

import org.jspecify.annotations.NullMarked;
