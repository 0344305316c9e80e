// SPDX-License-Identifier: Apache-2.0
/** Support for tests of applications with delay queues, on a real Redis with a clock that the test controls. */
@NullMarked
package io.delayqueue.test;

import org.jspecify.annotations.NullMarked;
