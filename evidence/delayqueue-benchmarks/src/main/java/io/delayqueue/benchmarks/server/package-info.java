// SPDX-License-Identifier: Apache-2.0
/** The servers of a run: their statistics, and the tables and queues that other libraries need in them. */
@NullMarked
package io.delayqueue.benchmarks.server;

import org.jspecify.annotations.NullMarked;
