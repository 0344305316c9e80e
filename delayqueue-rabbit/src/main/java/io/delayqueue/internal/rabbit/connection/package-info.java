// SPDX-License-Identifier: Apache-2.0
/** A guarded connection to RabbitMQ that reconnects with pauses. */
@NullMarked
package io.delayqueue.internal.rabbit.connection;

import org.jspecify.annotations.NullMarked;
