// SPDX-License-Identifier: Apache-2.0
/** The pages, each made of calls of the service layer. */
@NullMarked
package io.delayqueue.internal.console.page;

import org.jspecify.annotations.NullMarked;
