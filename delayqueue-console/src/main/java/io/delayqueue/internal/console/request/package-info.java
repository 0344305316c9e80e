// SPDX-License-Identifier: Apache-2.0
/** Requests to the console. */
@NullMarked
package io.delayqueue.internal.console.request;

import org.jspecify.annotations.NullMarked;
