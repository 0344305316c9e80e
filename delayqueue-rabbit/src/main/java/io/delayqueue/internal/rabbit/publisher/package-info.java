// SPDX-License-Identifier: Apache-2.0
/** The publishing connections of triggers, their declarations, and the forwarding of dead tasks. */
@NullMarked
package io.delayqueue.internal.rabbit.publisher;

import org.jspecify.annotations.NullMarked;
