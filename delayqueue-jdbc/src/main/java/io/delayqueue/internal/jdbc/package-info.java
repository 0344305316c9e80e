// SPDX-License-Identifier: Apache-2.0
/** Checks for the caller's transaction, shared by the packages of this module. */
@NullMarked
package io.delayqueue.internal.jdbc;

import org.jspecify.annotations.NullMarked;
