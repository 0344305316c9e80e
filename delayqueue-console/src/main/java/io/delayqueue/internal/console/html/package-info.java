// SPDX-License-Identifier: Apache-2.0
/** Templates, and how texts, moments and addresses are written in a page. */
@NullMarked
package io.delayqueue.internal.console.html;

import org.jspecify.annotations.NullMarked;
