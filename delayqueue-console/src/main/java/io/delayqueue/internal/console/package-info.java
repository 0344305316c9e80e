// SPDX-License-Identifier: Apache-2.0
/** The console without a web framework: a request in, an answer out, and who may come in. */
@NullMarked
package io.delayqueue.internal.console;

import org.jspecify.annotations.NullMarked;
