// SPDX-License-Identifier: Apache-2.0
/** A connection to RabbitMQ: makes it, guards its sockets, and pauses after trouble. */
@NullMarked
package io.delayqueue.internal.rabbit.connection;

import org.jspecify.annotations.NullMarked;
