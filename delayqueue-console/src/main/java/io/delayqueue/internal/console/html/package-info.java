// SPDX-License-Identifier: Apache-2.0
/** Templates of pages, and formats for text, times and links. */
@NullMarked
package io.delayqueue.internal.console.html;

import org.jspecify.annotations.NullMarked;
