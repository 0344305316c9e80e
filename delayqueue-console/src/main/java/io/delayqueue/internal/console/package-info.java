// SPDX-License-Identifier: Apache-2.0
/** The console, independent of a web framework: requests, answers and access. */
@NullMarked
package io.delayqueue.internal.console;

import org.jspecify.annotations.NullMarked;
