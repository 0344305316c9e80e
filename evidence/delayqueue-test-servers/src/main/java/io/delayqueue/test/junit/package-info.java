// SPDX-License-Identifier: Apache-2.0
/** Servers for JUnit tests, and for the Spring contexts those tests load. */
@NullMarked
package io.delayqueue.test.junit;

import org.jspecify.annotations.NullMarked;
