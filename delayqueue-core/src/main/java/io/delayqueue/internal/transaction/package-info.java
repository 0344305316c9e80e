// SPDX-License-Identifier: Apache-2.0
/** Calls within a Spring transaction: makes them after the commit, or refuses them. */
@NullMarked
package io.delayqueue.internal.transaction;

import org.jspecify.annotations.NullMarked;
