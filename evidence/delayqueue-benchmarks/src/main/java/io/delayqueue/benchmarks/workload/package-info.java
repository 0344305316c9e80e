// SPDX-License-Identifier: Apache-2.0
/** What is done with a subject, and what is measured while it is. */
@NullMarked
package io.delayqueue.benchmarks.workload;

import org.jspecify.annotations.NullMarked;
