// SPDX-License-Identifier: Apache-2.0
/** A sitting: servers, and a JVM for each subject, workload and round. */
@NullMarked
package io.delayqueue.benchmarks.run;

import org.jspecify.annotations.NullMarked;
