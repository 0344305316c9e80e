// SPDX-License-Identifier: Apache-2.0
/** What somebody asks the console for. */
@NullMarked
package io.delayqueue.internal.console.request;

import org.jspecify.annotations.NullMarked;
