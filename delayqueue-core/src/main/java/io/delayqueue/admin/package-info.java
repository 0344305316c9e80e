// SPDX-License-Identifier: Apache-2.0
/** Looks after queues: what they hold, dead tasks, redrives, purges, the number of shards. */
@NullMarked
package io.delayqueue.admin;

import org.jspecify.annotations.NullMarked;
