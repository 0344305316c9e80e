// SPDX-License-Identifier: Apache-2.0
/** The workloads that measure a subject. */
@NullMarked
package io.delayqueue.benchmarks.workload;

import org.jspecify.annotations.NullMarked;
