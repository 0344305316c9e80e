// SPDX-License-Identifier: Apache-2.0
/** Delay queues within the test's JVM, without any server. */
@NullMarked
package io.delayqueue.test.memory;

import org.jspecify.annotations.NullMarked;
