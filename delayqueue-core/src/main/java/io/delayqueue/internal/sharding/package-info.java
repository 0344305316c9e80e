// SPDX-License-Identifier: Apache-2.0
/** Distributes the tasks of a queue over its shards, and migrates them when the number of shards changes. */
@NullMarked
package io.delayqueue.internal.sharding;

import org.jspecify.annotations.NullMarked;
