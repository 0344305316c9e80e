// SPDX-License-Identifier: Apache-2.0
/** The pages of the console. */
@NullMarked
package io.delayqueue.internal.console.page;

import org.jspecify.annotations.NullMarked;
