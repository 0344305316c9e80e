// SPDX-License-Identifier: Apache-2.0
package io.delayqueue.test;

import org.springframework.boot.test.autoconfigure.TestSliceTestContextBootstrapper;

/** Loads the contexts of {@link DelayQueueTest}. */
final class DelayQueueTestContextBootstrapper extends TestSliceTestContextBootstrapper<DelayQueueTest> {}
