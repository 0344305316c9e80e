// SPDX-License-Identifier: Apache-2.0
/** Tests of applications with delay queues, on a real Redis in which time stands still until the test moves it. */
@NullMarked
package io.delayqueue.test;

import org.jspecify.annotations.NullMarked;
