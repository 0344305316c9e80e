// SPDX-License-Identifier: Apache-2.0
/** The ways to delay tasks that are measured, each through its public API. */
@NullMarked
package io.delayqueue.benchmarks.subject;

import org.jspecify.annotations.NullMarked;
