// SPDX-License-Identifier: Apache-2.0
/** Templates, and the formats of texts, moments and addresses in a page. */
@NullMarked
package io.delayqueue.internal.console.html;

import org.jspecify.annotations.NullMarked;
