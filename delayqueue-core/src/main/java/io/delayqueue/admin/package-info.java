// SPDX-License-Identifier: Apache-2.0
/** Management of queues: figures, dead tasks, redrives, purges and the number of shards. */
@NullMarked
package io.delayqueue.admin;

import org.jspecify.annotations.NullMarked;
