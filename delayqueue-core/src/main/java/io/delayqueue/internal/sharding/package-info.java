// SPDX-License-Identifier: Apache-2.0
/** One queue over many shards, and their number while it changes: where a task is, and how it gets where it belongs. */
@NullMarked
package io.delayqueue.internal.sharding;

import org.jspecify.annotations.NullMarked;
