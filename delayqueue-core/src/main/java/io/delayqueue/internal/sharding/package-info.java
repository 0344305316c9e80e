// SPDX-License-Identifier: Apache-2.0
/** Distribution of a queue over shards: location, migration and number of shards. */
@NullMarked
package io.delayqueue.internal.sharding;

import org.jspecify.annotations.NullMarked;
