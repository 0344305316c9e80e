// SPDX-License-Identifier: Apache-2.0
/** The workloads for a subject, and their measurements. */
@NullMarked
package io.delayqueue.benchmarks.workload;

import org.jspecify.annotations.NullMarked;
