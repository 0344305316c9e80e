// SPDX-License-Identifier: Apache-2.0
/** What a queue is: its name, its settings and how its tasks spread over shards. */
@NullMarked
package io.delayqueue.queue;

import org.jspecify.annotations.NullMarked;
