// SPDX-License-Identifier: Apache-2.0
/** The observation of calls: its context and its convention. */
@NullMarked
package io.delayqueue.client;

import org.jspecify.annotations.NullMarked;
