// SPDX-License-Identifier: Apache-2.0
/** Where the time and the memory of a run went. */
@NullMarked
package io.delayqueue.benchmarks.profile;

import org.jspecify.annotations.NullMarked;
