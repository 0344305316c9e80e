// SPDX-License-Identifier: Apache-2.0
/** Creates messages from due tasks and publishes them. */
@NullMarked
package io.delayqueue.internal.rabbit.trigger;

import org.jspecify.annotations.NullMarked;
