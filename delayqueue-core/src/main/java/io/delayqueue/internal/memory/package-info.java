// SPDX-License-Identifier: Apache-2.0
/** The store within one JVM, for tests: keeps the same contracts as the scripts in Redis. */
@NullMarked
package io.delayqueue.internal.memory;

import org.jspecify.annotations.NullMarked;
