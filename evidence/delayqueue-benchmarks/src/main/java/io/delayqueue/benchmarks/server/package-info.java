// SPDX-License-Identifier: Apache-2.0
/** The servers of a run: what they say about themselves, and what others keep in them. */
@NullMarked
package io.delayqueue.benchmarks.server;

import org.jspecify.annotations.NullMarked;
